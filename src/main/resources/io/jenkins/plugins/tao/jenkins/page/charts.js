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
    return {
      animation: false,
      aria: { enabled: true },
      title: { text: model.name, left: 0, top: 0, textStyle: { color: text, fontSize: 13 } },
      tooltip: { trigger: "axis", confine: true },
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      xAxis: { type: "value", minInterval: whole(model.points) ? 1 : 0, name: "", scale: true, axisLabel: { color: faint }, axisLine: { lineStyle: { color: line } }, splitLine: { show: false } },
      yAxis: { type: "value", scale: true, axisLabel: { color: faint }, splitLine: { lineStyle: { color: line } } },
      series: [{
        type: "line",
        name: model.label || model.name,
        data: model.points,
        showSymbol: model.points.length < 40,
        connectNulls: false,
        itemStyle: { color: color("--blue", "#06c") },
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

  function show(parent, key, option, onClick) {
    if (!window.echarts) {
      return;
    }
    let chart = charts.get(key);
    if (!chart) {
      const div = document.createElement("div");
      div.className = "tao-chart";
      parent.appendChild(div);
      chart = window.echarts.init(div);
      charts.set(key, chart);
      window.addEventListener("resize", () => chart.resize());
      if (onClick) {
        chart.getZr().on("click", (event) => {
          const at = chart.convertFromPixel({ xAxisIndex: 0 }, event.offsetX);
          if (chart.containPixel("grid", [event.offsetX, event.offsetY])) {
            onClick(at);
          }
        });
      }
    }
    chart.setOption(option, true);
  }

  function draw(parent, model) {
    show(parent, model.key || model.name, options(model));
  }

  return { draw, show, color };
})();
