/* Colours: themes of the canvas, and palettes of even chroma in Oklab (Ottosson 2020), for light and for dark paper. */
const KT = {};
(() => {
  "use strict";

  KT.themes = {
    light: {
      dark: false, paper: "#fbfaf7", light: "#f5f2ea", square: "#e6e0d2", border: "#b1a997", ink: "#22262b",
      soft: "#666b72", accent: "#a8326c", ghost: "rgba(34,38,43,.17)", halo: "#ffffff", wrong: "#b3261e", change: "rgba(235,94,40,.30)",
      edge: "rgba(235,94,40,.95)",
    },
    dark: {
      dark: true, paper: "#131519", light: "#272b32", square: "#1d2026", border: "#545b67", ink: "#f3f0e8",
      soft: "#a3a8b1", accent: "#f08bb6", ghost: "rgba(243,240,232,.15)", halo: "#0e1013", wrong: "#ff8a80", change: "rgba(255,150,80,.27)",
      edge: "rgba(255,160,90,.95)",
    },
  };

  /** Oklch (lightness 0..1, chroma, hue in turns) as [red, green, blue], 0..255; what sRGB lacks is cut off. */
  KT.oklch = (lightness, chroma, turns) => {
    const hue = 2 * Math.PI * turns;
    const a = chroma * Math.cos(hue), b = chroma * Math.sin(hue);
    const l = (lightness + 0.39633778 * a + 0.21580376 * b) ** 3;
    const m = (lightness - 0.10556135 * a - 0.06385417 * b) ** 3;
    const s = (lightness - 0.08948418 * a - 1.29148555 * b) ** 3;
    return [
      4.07674166 * l - 3.30771159 * m + 0.23096993 * s,
      -1.26843800 * l + 2.60975740 * m - 0.34131940 * s,
      -0.00419609 * l - 0.70341861 * m + 1.70761470 * s,
    ].map((u) => {
      const v = Math.min(1, Math.max(0, u));
      return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
    });
  };

  const wheelColour = (dark, place) => {
    const turns = 0.72 + place;
    const lift = 0.08 * Math.cos(2 * Math.PI * (turns - 105 / 360)); // yellow a little lighter than blue
    return KT.oklch((dark ? 0.74 : 0.6) + lift, 0.15, turns);
  };

  /** Round the wheel: the last colour is next to the first. */
  KT.wheel = (dark, count) => Array.from({ length: count }, (_, i) => wheelColour(dark, (i + 0.5) / count));

  /** From a beginning to an end, which are plainly not the same. */
  KT.ramp = (dark, count) => Array.from({ length: count }, (_, i) => {
    const t = (i + 0.5) / count;
    return dark ? KT.oklch(0.62 + 0.24 * t, 0.15 - 0.02 * t, 0.83 - 0.53 * t)
      : KT.oklch(0.42 + 0.27 * t, 0.15 - 0.015 * t, 0.83 - 0.5 * t);
  });

  /** Colours far from those just before them. */
  KT.distinct = (dark, count) =>
    Array.from({ length: count }, (_, i) => wheelColour(dark, 0.08 + ((Math.sqrt(5) - 1) / 2) * i));

  /** "#c2417f" as [194, 65, 127]; null for what is no such colour. */
  KT.hex = (text) => {
    if (typeof text !== "string" || !/^#[0-9a-f]{6}$/i.test(text)) return null;
    return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  };

  /** The same hue, light enough to be seen on dark paper. */
  KT.onPaper = (rgb, dark) => (dark ? rgb.map((u) => Math.round(u + (255 - u) * 0.28)) : rgb);

  KT.css = ([r, g, b], alpha = 1) => (alpha === 1 ? `rgb(${r},${g},${b})` : `rgba(${r},${g},${b},${alpha})`);
})();
