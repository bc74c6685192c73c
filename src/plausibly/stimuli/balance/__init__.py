"""Balance: what besides the design sets the conditions of items apart."""
