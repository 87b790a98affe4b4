package io.muninn.apps.ocean;

/**
 * The basin: a square of water in two layers on a rotating planet, in metres and seconds. West is
 * column 0, south is row 0.
 *
 * <p><b>Motion.</b> A layer has a stream function ψ and a vorticity ζ = ∇²ψ. With the velocity w of
 * the interface between the layers, and J the Jacobian,
 *
 * <pre>
 *   ∂ζ1/∂t = J(ζ1, ψ1) - β ∂ψ1/∂x - A ∇⁶ψ1 + wind / H1 - (f / H1) w
 *   ∂ζ3/∂t = J(ζ3, ψ3) - β ∂ψ3/∂x - A ∇⁶ψ3             + (f / H3) w
 *   ∂(ψ1 - ψ3)/∂t = J(ψ1 - ψ3, ψ2) - (g / f) w
 * </pre>
 *
 * where ψ2 is the mean of the layers at the interface. Without w these are two elliptic equations,
 * of γ = ∂(ψ1 - ψ3)/∂t and of Φ, the mean of ∂ψ/∂t over the depth.
 *
 * <p>Source: Holland, "The role of mesoscale eddies in the general circulation of the ocean", J.
 * Physical Oceanography 8, 1978 (equations). The numbers are ours, of the order of his.
 */
final class OceanBasin {
    static final double SIDE = 5.12e6;

    /** Seconds of a step: eight hours. */
    static final double TIME_STEP = 28_800;

    /** Depths of the layers. */
    static final double UPPER = 1000;

    static final double LOWER = 4000;
    static final double DEPTH = UPPER + LOWER;

    /** The change of the planet's rotation from south to north. */
    static final double BETA = 2e-11;

    /** f, per second. */
    private static final double ROTATION = 9.3e-5;

    /** g, reduced by the difference of the layers' densities, in metres per square second. */
    private static final double GRAVITY = 0.02;

    /** f² / g (1 / H1 + 1 / H3), per square metre: how strongly the interface resists. */
    static final double STIFFNESS = ROTATION * ROTATION / GRAVITY * (1 / UPPER + 1 / LOWER);

    /** The largest curl of the wind's stress, divided by the depth of the upper layer. */
    static final double WIND = 1e-4 * Math.PI / (SIDE * UPPER);

    /** Friction for a grid of cells of side 1 metre; it grows with the fourth power. */
    private static final double FRICTION = 0.002 / TIME_STEP;

    private OceanBasin() {}

    /** Cells in a square metre. */
    static double perSquare(int cells) {
        return cells / SIDE * (cells / SIDE);
    }

    /** A, the friction that a grid needs. */
    static double friction(int cells) {
        return FRICTION / (perSquare(cells) * perSquare(cells));
    }

    /** What the wind does to the vorticity of a row of the upper layer. */
    static double wind(int row, int cells) {
        return -WIND * StrictMath.sin(Math.PI * (row + 0.5) / cells);
    }
}
