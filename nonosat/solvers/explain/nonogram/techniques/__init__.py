"""The techniques of a line, a file each: ``find(line)`` gives all that the technique sees in it, as ``Finding``s."""
