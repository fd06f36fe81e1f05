"""The checker of certificates: it reads a statement and a proof, believes neither, and shares no code with a writer."""
