/* Draws the trends of a Jenkins job, a chart each; a click on a point opens its build. */
(function () {
  "use strict";

  function models(trend, most) {
    return trend.charts
      .filter((chart) => chart.points.some((value) => value !== null))
      .slice(0, most)
      .map((chart) => {
        const marks = [];
        const values = chart.points.filter((value) => value !== null);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        let band;
        if (chart.baseline !== undefined) {
          marks.push({ name: "blessed", value: chart.baseline, color: "--green" });
        }
        if (chart.limit !== undefined) {
          marks.push({ name: "limit", value: chart.limit, color: "--red" });
          const spread = Math.max(...values) - Math.min(...values) || Math.abs(mean) || 1;
          band = chart.limit < mean ? [Math.min(...values, chart.limit) - spread, chart.limit] : [chart.limit, Math.max(...values, chart.limit) + spread];
        }
        const points = chart.points.map((value, index) =>
          trend.builds[index].outcome === "succeeded" || value === null
            ? value
            : { value, symbol: "diamond", itemStyle: { color: window.taoCharts.color("--red", "#c00") } });
        return { name: chart.name, labels: trend.builds.map((build) => build.label), points, marks, band };
      });
  }

  window.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".tao-trend").forEach((box) => {
      fetch(box.dataset.trend)
        .then((reply) => reply.json())
        .then((trend) => {
          models(trend, Number(box.dataset.most)).forEach((model) =>
            window.taoCharts.draw(box, model, (index) => {
              const url = trend.builds[index].url;
              if (url) {
                location.assign(box.dataset.root + url + "tao/");
              }
            }));
        });
    });
  });
})();
