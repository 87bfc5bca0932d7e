"""Adds up the ranks of all processes, each counted from 1, and says what came out: in the log, and as a file of its rank."""

import os
import sys

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
total = torch.tensor([dist.get_rank() + 1])
dist.all_reduce(total)
said = f"rank {dist.get_rank()} of {dist.get_world_size()}: sum {total.item()}"
# One write: ranks of a node share their output.
sys.stdout.write(" ".join([said, "local", os.environ["LOCAL_RANK"], *sys.argv[1:]]) + "\n")
sys.stdout.flush()
dist.destroy_process_group()
