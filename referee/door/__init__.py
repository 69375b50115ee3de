"""Where bots come in: ports, tokens, greetings, streams, and what they are refused for."""
