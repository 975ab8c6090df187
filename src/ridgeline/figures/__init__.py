"""A result in, a picture out; nothing is computed here. Needs the extra ``plot``."""
