"""Growing tours: a tour with slabs that may be repeated stays one cycle, so that there are tours of all sizes."""

from kt_models.certificates.methods import Theorem

THEOREM = Theorem(
    "growing-tours",
    files={
        "strands": f"{__package__}.strands",
        "strands-squares": f"{__package__}.loops",
        "strands-chains": f"{__package__}.chains",
        "strands-spirals": f"{__package__}.spirals",
        "radial": f"{__package__}.radial",
        "octants": f"{__package__}.octants",
    },
)
