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

  /* The axis reaches to a limit that is beyond the values. */
  function reach(limits) {
    const space = (range) => (range.max - range.min || Math.abs(range.max) || 1) / 12;
    return {
      min: (range) => (Math.min(...limits) < range.min ? Math.min(...limits) - space(range) : undefined),
      max: (range) => (Math.max(...limits) > range.max ? Math.max(...limits) + space(range) : undefined),
    };
  }

  function options(model) {
    const limits = model.limits || [];
    const text = color("--text-color", "#333");
    const faint = color("--text-color-secondary", "#888");
    const line = color("--jenkins-border-color", "rgba(128,128,128,.3)");
    return {
      animation: false,
      aria: { enabled: true },
      title: { text: model.name, left: 0, top: 0, textStyle: { color: text, fontSize: 13 } },
      tooltip: { trigger: "axis", confine: true },
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      xAxis: { type: "value", minInterval: whole(model.points) ? 1 : 0, scale: true,
        axisLabel: { color: faint, formatter: whole(model.points) ? (at) => (Number.isInteger(at) ? String(at) : "") : undefined }, axisLine: { lineStyle: { color: line } }, splitLine: { show: false } },
      yAxis: { type: "value", scale: true, axisLabel: { color: faint, formatter: (value) => String(Number(value.toPrecision(4))) }, splitLine: { lineStyle: { color: line } }, ...(limits.length ? reach(limits) : {}) },
      series: [{
        type: "line",
        name: model.label || model.name,
        data: model.points,
        showSymbol: model.points.length < 40,
        connectNulls: false,
        itemStyle: { color: color("--blue", "#06c") },
        markLine: limits.length ? {
          symbol: "none", silent: true, precision: 12,
          data: limits.map((limit) => ({ yAxis: limit, lineStyle: { color: color("--red", "#c00"), type: "dashed" }, label: { formatter: String(limit), position: "insideStartTop", color: text, fontSize: 11 } })),
        } : undefined,
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
