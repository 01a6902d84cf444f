"""Pseudo-Boolean models of problems, and cutting-planes proofs in the format of VeriPB."""
