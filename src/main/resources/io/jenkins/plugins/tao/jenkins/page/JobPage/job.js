/* The page of one job: asks for its state, draws its curves, shows the end of its log; stops when the job has ended. */
(function () {
  "use strict";
  const PAUSE = 4000;

  function rounded(value) {
    return value === undefined ? "" : String(Number(value.toPrecision(5)));
  }

  function values(table, curves) {
    const rows = curves.map((curve) => {
      const finite = curve.points.map((point) => point[1]).filter((value) => value !== null);
      const row = document.createElement("tr");
      const last = curve.points.length ? curve.points[curve.points.length - 1][1] : undefined;
      [curve.name, rounded(finite[0]), rounded(finite.length ? Math.min(...finite) : undefined),
        rounded(finite.length ? Math.max(...finite) : undefined), last === null ? "NaN" : rounded(last), String(curve.points.length)]
        .forEach((text) => {
          row.insertCell().textContent = text;
        });
      return row;
    });
    table.tBodies[0].replaceChildren(...rows);
  }

  function show(page, state) {
    window.taoJobs.show(page, state.job);
    document.getElementById("tao-none").hidden = state.curves.length > 0;
    state.curves.forEach((curve) => window.taoCharts.draw(document.getElementById("tao-curves"), curve));
    values(document.getElementById("tao-values"), state.curves);
    const tail = document.getElementById("tao-tail");
    const text = (state.tail || []).join("\n");
    if (tail.textContent !== text) {
      const atEnd = tail.scrollTop + tail.clientHeight >= tail.scrollHeight - 4;
      tail.textContent = text;
      if (atEnd) {
        tail.scrollTop = tail.scrollHeight;
      }
    }
  }

  window.addEventListener("DOMContentLoaded", () => {
    const page = document.getElementById("tao-job");
    if (page) {
      window.taoJobs.follow(page.dataset.state, PAUSE, (state) => show(page, state));
    }
  });
})();
