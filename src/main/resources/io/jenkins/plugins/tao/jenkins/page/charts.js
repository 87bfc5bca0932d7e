/* Small charts by the ECharts of the plugin echarts-api. Where that plugin is not installed the tables beside them tell the same. */
window.taoCharts = (function () {
  "use strict";
  const charts = new Map();

  function color(name, fallback) {
    return getComputedStyle(document.body).getPropertyValue(name).trim() || fallback;
  }

  /* There is nothing between two epochs. */
  function whole(points) {
    return points.every((point) => !Array.isArray(point) || Number.isInteger(point[0]));
  }

  function options(model) {
    const text = color("--text-color", "#333");
    const faint = color("--text-color-secondary", "#888");
    const line = color("--jenkins-border-color", "rgba(128,128,128,.3)");
    const marks = (model.marks || []).map((mark) => ({
      yAxis: mark.value,
      name: mark.name,
      lineStyle: { color: color(mark.color, "#c60"), type: "dashed" },
      label: { formatter: mark.name, position: "insideEndTop", color: faint },
    }));
    const band = model.band
      ? { silent: true, itemStyle: { color: color("--red", "#c00"), opacity: 0.08 }, data: [[{ yAxis: model.band[0] }, { yAxis: model.band[1] }]] }
      : undefined;
    return {
      animation: false,
      aria: { enabled: true },
      title: { text: model.name, left: 0, top: 0, textStyle: { color: text, fontSize: 13 } },
      tooltip: { trigger: "axis", confine: true },
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      xAxis: { type: model.labels ? "category" : "value", data: model.labels, minInterval: whole(model.points) ? 1 : 0, name: "", scale: true, axisLabel: { color: faint }, axisLine: { lineStyle: { color: line } }, splitLine: { show: false } },
      yAxis: { type: "value", scale: true, axisLabel: { color: faint }, splitLine: { lineStyle: { color: line } } },
      series: [{
        type: "line",
        name: model.label || model.name,
        data: model.points,
        showSymbol: Boolean(model.labels) || model.points.length < 40,
        symbolSize: model.labels ? 8 : 4,
        connectNulls: false,
        itemStyle: { color: color("--blue", "#06c") },
        markLine: marks.length ? { symbol: "none", silent: true, data: marks } : undefined,
        markArea: band,
      }].concat(model.before ? [{
        type: "line",
        name: model.before.name,
        data: model.before.points,
        showSymbol: false,
        connectNulls: false,
        itemStyle: { color: faint },
        lineStyle: { type: "dashed" },
      }] : []),
      legend: model.before ? { right: 0, top: 0, textStyle: { color: text } } : undefined,
    };
  }

  function draw(parent, model, onClick) {
    if (!window.echarts) {
      return;
    }
    let chart = charts.get(model.key || model.name);
    if (!chart) {
      const div = document.createElement("div");
      div.className = "tao-chart";
      parent.appendChild(div);
      chart = window.echarts.init(div);
      charts.set(model.key || model.name, chart);
      window.addEventListener("resize", () => chart.resize());
      if (onClick) {
        chart.on("click", (event) => onClick(event.dataIndex));
      }
    }
    chart.setOption(options(model), true);
  }

  return { draw, color };
})();
