"""All processes of one machine: started, watched, ended."""
