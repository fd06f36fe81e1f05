"""The techniques of a line of towers, a file each: ``find(line)`` gives all that it sees in it, as ``Finding``s."""
