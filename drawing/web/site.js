/* The table of a gallery: the button in a column's head sorts by it. */
(() => {
  "use strict";
  const table = document.getElementById("table");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const number = (text) => (/^[\d,]+$/.test(text) ? Number(text.replaceAll(",", "")) : NaN);
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return a.localeCompare(b, "en", { numeric: true });
    return x - y;
  };
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const text = (row) => row.cells[column].textContent;
      const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
      body.append(...rows);
    });
  });
})();
