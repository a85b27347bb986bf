"""Entries built by hand for the tests of what is published as data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from generator.model import (
    Category,
    Cause,
    CodeExample,
    ConfirmStep,
    Effort,
    Encyclopedia,
    Entry,
    FixStep,
    Layer,
    Monitor,
    Observe,
    Perspectives,
    Phase,
    PrintedBy,
    Question,
    Reference,
    Relation,
    Relations,
    Reproduction,
    Reviewed,
    Sample,
    Scale,
    Signature,
    Symptom,
    System,
    SystemUse,
    Tag,
    Taxonomy,
)

SITE = "https://faultbook.example/book/"

DISK_FULL = Entry(
    path="storage/disk-full-during-training.yml",
    id="disk-full-during-training",
    title="Disk full during training",
    category="storage",
    severity="critical",
    tags=("disk-full", "checkpoint"),
    systems=(SystemUse("pytorch"), SystemUse("kubernetes", "The kubelet evicts the pod first.")),
    phases=("training", "checkpointing"),
    summary="The filesystem that receives checkpoints runs out of space, so a save stops part-way.",
    aliases=("disk-full", "no-space-left"),
    layer=Layer("environment", "Freeing space on `/checkpoints` lets the same code run on."),
    signatures=(
        Signature(
            match="OSError: [Errno 28] No space left on device",
            printed_by=PrintedBy(
                "CPython",
                "Objects/exceptions.c, OSError.__str__",
                "3.11 to 3.13",
                "https://github.com/python/cpython/blob/v3.11.7/Objects/exceptions.c",
            ),
            specific=False,
            evidence="source",
            note="An exhausted inode table prints the same.",
        ),
        Signature(
            match="[enforce fail at inline_container.cc:<int>] . unexpected pos <int:at> vs <int:due>",
            printed_by=PrintedBy("PyTorch", "caffe2/serialize/inline_container.cc", "2.0 to 2.13"),
            specific=False,
            evidence="reproduced",
            when="at < due",
            with_="basic_ios::clear: iostream error",
            role="initiating",
        ),
        Signature(
            match="Training stops: less than <size:free> left below the checkpoint folder",
            printed_by=PrintedBy("Trainer", "trainer.py"),
            specific=True,
            evidence="report",
            ignore_case=True,
        ),
    ),
    symptoms=(
        Symptom("`df -h` shows the checkpoint mount at 100 %", "Nothing deletes old saves."),
        Symptom("The newest checkpoint is smaller than the one before", "The write was cut."),
    ),
    observe=Observe(
        "The step counter stands still at a multiple of the save interval.",
        "At the first save after the third epoch.",
    ),
    mechanism=(
        "`torch.save` streams the archive; when `write(2)` returns `ENOSPC` the stream is left bad.\n"
        "\n"
        "The destructor then finds fewer bytes than it counted:\n"
        "\n"
        "```text\nunexpected pos 64 vs 0\n```"
    ),
    causes=(
        Cause("`save_total_limit` is unset", "The folder holds one directory per save."),
        Cause("The optimizer state triples a save", "A save is three times the weights."),
    ),
    confirm=(
        ConfirmStep(
            "Look at the mount that receives the saves.",
            "df -h /checkpoints",
            "`Use%` is 100.",
            ("inode-exhaustion",),
            True,
        ),
        ConfirmStep("Compare the size of the last two saves.", "du -sh /checkpoints/*"),
    ),
    fix=(
        FixStep(
            "Delete all but the last two saves.", "rm -r /checkpoints/step-1000", "`df` drops."
        ),
        FixStep("Resume from the last complete save."),
    ),
    prevent=(FixStep("Set `save_total_limit: 2`."),),
    code=(
        CodeExample(
            "Stop before a save that cannot fit",
            "python",
            "import shutil\n\n\ndef fits(folder: str, size: int) -> bool:\n"
            "    return shutil.disk_usage(folder).free > 2 * size",
            "It asks before the archive is opened, so the last save survives.",
            "PyTorch",
        ),
    ),
    reproduce=Reproduction(
        "disk-full-during-training.repro.py",
        "torch",
        0,
        "disk-full-during-training.repro.log",
        "torch 2.13.0, Python 3.11.7",
        "It lowers `RLIMIT_FSIZE`.",
    ),
    samples=(
        Sample("Save onto a full disk", "OSError: [Errno 28] No space left on device: 'model.pt'"),
    ),
    effort=Effort((1, 2), (10, 30), "Deleting from NFS takes longer than the resume."),
    scale=Scale("Only this run stops.", "", "Every rank that writes its shard fails at one step."),
    recurrence="It comes back after as many saves as fit.",
    monitor=(
        Monitor(
            "Free space of the checkpoint mount below two saves",
            'node_filesystem_avail_bytes{mountpoint="/checkpoints"} < 50e9',
            "promql",
        ),
    ),
    perspectives=Perspectives(
        "All work since the last complete save is lost.",
        "Limit the saves.",
        "Free space first, then resume.",
    ),
    faq=(
        Question(
            "Why does torch.save not say that the disk is full?",
            "The stream only knows that it is bad: `basic_ios::clear: iostream error`.",
        ),
    ),
    relations=Relations(
        leads_to=(Relation("collective-watchdog-timeout", "Rank 0 dies in the save."),),
        mistaken_for=(Relation("inode-exhaustion", "`df -i` is at 100 %, `df -h` is not."),),
        see_also=(Relation("sampler-epoch-missing"), Relation("inode-exhaustion", "Same mount.")),
    ),
    references=(
        Reference(
            "write(2)",
            "https://man7.org/linux/man-pages/man2/write.2.html",
            "docs",
            "`ENOSPC` means no room for the data.",
        ),
        Reference(
            "torch.save hides ENOSPC (1)",
            "https://github.com/pytorch/pytorch/issues/1?a=1&copy;=2",
            "issue",
            "The printed text.",
        ),
    ),
    reviewed=Reviewed("2026-11-30", ("PyTorch 2.13.0", "CPython 3.11.7")),
)

SILENT = Entry(
    path="data-pipeline/sampler-epoch-missing.yml",
    id="sampler-epoch-missing",
    title="DistributedSampler without set_epoch",
    category="data-pipeline",
    severity="medium",
    tags=("data-order",),
    systems=(SystemUse("pytorch"),),
    phases=("training",),
    summary="Every epoch sees the samples in one order, because the sampler never learns its epoch.",
    silent=True,
    symptoms=(Symptom("The loss curve repeats its bumps each epoch", "The order is the same."),),
    mechanism=(
        "The permutation is seeded with `seed + epoch`, and `epoch` stays 0 unless "
        "`set_epoch` is called."
    ),
    causes=(Cause("The loop never calls `set_epoch`", "`grep -n set_epoch` finds nothing."),),
    confirm=(ConfirmStep("Print the first indices of two epochs: they are equal."),),
    fix=(FixStep("Call `sampler.set_epoch(epoch)` before each epoch."),),
    references=(
        Reference(
            "torch.utils.data",
            "https://docs.pytorch.org/docs/stable/data.html",
            "source",
            "`set_epoch` is needed for another order.",
        ),
    ),
    reviewed=Reviewed("2026-12-01", ("PyTorch 2.13.0",)),
)

INODES = replace(
    SILENT,
    path="storage/inode-exhaustion.yml",
    id="inode-exhaustion",
    title="Inodes exhausted <script>alert(1)</script>",
    category="storage",
    silent=False,
    signatures=(DISK_FULL.signatures[0],),
    reviewed=Reviewed("2026-11-30", ("ext4",)),
)

WATCHDOG = replace(
    SILENT,
    path="distributed/collective-watchdog-timeout.yml",
    id="collective-watchdog-timeout",
    title="Collective watchdog timeout",
    category="distributed",
    reviewed=Reviewed("2026-10-01", ("PyTorch 2.13.0",)),
)

TAXONOMY = Taxonomy(
    categories={
        id_: Category(id_, title, f"{title} fails.")
        for id_, title in (
            ("storage", "Storage"),
            ("data-pipeline", "Data pipeline"),
            ("distributed", "Distributed training"),
            ("tokenization", "Tokenization"),
        )
    },
    systems={
        "pytorch": System("pytorch", "PyTorch", synonyms=("torch",)),
        "kubernetes": System("kubernetes", "Kubernetes"),
    },
    phases={
        "training": Phase("training", "Training", "Steps run."),
        "checkpointing": Phase("checkpointing", "Checkpointing", "State is saved."),
    },
    tags={
        id_: Tag(id_, title, f"{title}.")
        for id_, title in (
            ("disk-full", "Disk full"),
            ("checkpoint", "Checkpoint"),
            ("data-order", "Data order"),
        )
    },
)


def encyclopedia(*entries: Entry) -> Encyclopedia:
    """Return an encyclopedia of these entries, of the four above where none are given."""
    chosen = entries or (DISK_FULL, SILENT, INODES, WATCHDOG)
    by_id = {entry.id: entry for entry in sorted(chosen, key=lambda entry: entry.id)}
    return Encyclopedia(Path("entries"), TAXONOMY, by_id)
