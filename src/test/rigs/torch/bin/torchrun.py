"""PyTorch 1.13's torchrun with two ways of newer ones: options with dashes, which 2.0 brought, and flags that Python 3.11
still finds when they are zero."""

import sys

from torch.distributed import run
from torch.distributed.elastic.multiprocessing import Std


def underscored(word):
    name, equals, value = word.partition("=")
    return "--" + name[2:].replace("-", "_") + equals + value


if __name__ == "__main__":
    Std.from_str = classmethod(lambda flags, text: flags(int(text)))
    words = sys.argv[1:]
    script = next(i for i, word in enumerate(words) if not word.startswith("-"))
    run.main([underscored(word) for word in words[:script]] + words[script:])
