"""How far engines differ: experiments with known answers, and replays side by side."""
