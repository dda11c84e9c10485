"""What tools/cluster starts: one file a kind of server."""
