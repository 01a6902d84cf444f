"""The open problem on Aztec diamonds: which of them have a tour, radius by radius."""
