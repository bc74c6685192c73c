"""Options of GITA's three tasks: CPU seconds and log-probabilities beside lm-evaluation-harness.

    pip install 'lm-eval[hf]==0.4.13'
    python -m benchmarks.asking [--model smollm2|DIR] [--items 10,10,10] [--prompt it-vero]

Both score the same texts with the same weights in one process with one thread; loading is not
counted. The harness scores with its own HF backend as it comes (one text at a time, options of one
token of the same context together). The published datasets are read from $PLAUSIBLY_DATA.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from plausibly.asking.inquiries import AskChoices, inquiry
from plausibly.asking.plan import rendered
from plausibly.asking.subjects import GITA
from plausibly.ports import Query
from plausibly.study import PROTOCOLS

AIMS = {"story_class": 5, "conflict_detec": 12, "physical_state": 20}


def queries(task: str, prompt: str, items: int) -> list[Query]:
    """Return what is asked of so many stories, with fixed examples."""
    plan = inquiry(
        GITA,
        Path(os.environ["PLAUSIBLY_DATA"]),
        AskChoices(prompt, tasks=task),
        wording=PROTOCOLS["gita"].prompts,
    )
    return [query for *_, query in rendered(plan)][:items]


def main() -> None:
    """Print a line per task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--items", default="10,10,10", help="stories of each task, 0 for none")
    parser.add_argument("--prompt", default="it-vero")
    chosen = parser.parse_args()
    import torch
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    from plausibly.backends.causal import load_causal

    torch.set_num_threads(1)
    path = None if chosen.model == "smollm2" else Path(chosen.model)
    ours = load_causal(path, converses=False)
    theirs = HFLM(pretrained=ours._model, tokenizer=ours._tokenizer, batch_size=1, max_length=4096)
    print(f"all options in one pass: {ours._shares}")
    numbers = [int(number) for number in chosen.items.split(",")]
    for (task, aim), number in zip(AIMS.items(), numbers, strict=True):
        if not number:
            continue
        asked = queries(task, chosen.prompt, number)
        began = time.process_time()
        mine = [reply for query in asked for reply in ours.answer(query).logliks or ()]
        own = time.process_time() - began
        pairs = [(query.context, option) for query in asked for option in query.options]
        requests = [
            Instance(request_type="loglikelihood", doc={}, arguments=pair, idx=0) for pair in pairs
        ]
        began = time.process_time()
        scored = theirs.loglikelihood(requests, disable_tqdm=True)
        other = time.process_time() - began
        apart = max(abs(a - b) for a, (b, _) in zip(mine, scored, strict=True))
        print(
            f"{task}: {len(asked)} stories, {len(pairs)} options, harness {other:.2f} CPU s, "
            f"ours {own:.2f}, {other / own:.1f} times (aim {aim}), apart at most {apart:.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
