"""What a hostile client does, a phase a function, a kind of attack a file."""
