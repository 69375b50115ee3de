"""What referees say to each other."""
