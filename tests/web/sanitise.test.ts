// @engine sqlite
/** Sanitised HTML of operators holds text, structure and links only. */
import { expect, test } from 'bun:test'
import { sanitise } from '../../src/web/sanitise.ts'

test.each([
  ['<b onclick=x style=y>bold</b> &amp; <i>slanted</i>', '<b>bold</b> &amp; <i>slanted</i>'],
  ['a < b > c &lt;script&gt;', 'a &lt; b &gt; c &lt;script&gt;'],
  ['<custom>kept</custom>', 'kept'],
  ['x<br/>y<hr>', 'x<br />y<hr />'],
  // What is taken out does not join its neighbours.
  ['<<!>img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['<<custom>meta http-equiv=refresh content=0>', '&lt;meta http-equiv=refresh content=0&gt;'],
  ['<scr<script></script>ipt>alert(1)', 'ipt&gt;alert(1)'],
  // Nothing is left open, and nothing is ended that is not its own.
  ['<b><i>x</b>y</i>z', '<b><i>x</i></b>yz'],
  ['</div></footer></body>x', 'x'],
  ['<table><tr><td colspan=2>1', '<table><tr><td colspan="2">1</td></tr></table>'],
  ["<img alt='<base href=//evil.example>", ''],
  ['x<!-- <b>', 'x'],
  ['<a title="', ''],
  // What is neither shown nor text.
  ['<svg>a<b>b</b></svg>c<svg/>d', 'cd'],
  ['<script>x</script><style>y</style><iframe srcdoc="<b>">z</iframe>w', 'w'],
  ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">', ''],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
  // Addresses.
  ["<img src='https://x/\"y.png' onerror=z>", '<img src="https://x/&quot;y.png" />'],
  ...[
    'javascript:x',
    ' javascript:x',
    '&#106;avascript:x',
    'java&Tab;script:x',
    'data:text/html,x',
    '//evil.example',
  ].map(href => [`<a href="${href}">x</a>`, '<a rel="noopener noreferrer nofollow">x</a>'] as [string, string]),
  [
    '<a href="/x?a=1&amp;b=2" target=_top id=words>x</a>',
    '<a href="/x?a=1&amp;b=2" rel="noopener noreferrer nofollow">x</a>',
  ],
])('sanitise reduces %s', (html, shown) => expect(sanitise(html)).toBe(shown))

const pieces =
  '< > </ /> " \' ` = <!-- --> --!> <! <? <![CDATA[ ]]> &lt; &#x6a; <a <b <img <p> <b> <table> <tr> <td> <svg> </svg> <math> <mtext> <style> </style> <title> </title> <textarea> </textarea> <noscript> <xmp> </xmp> <script> </script> <template> <select> <option> <plaintext> <meta <base <form> onerror=x href=javascript:x src=x alt=\' title=" </div> </p> </table> \0 \f x'.split(
    ' ',
  )

const written =
  /^(?:[^<>]|<\/[a-z][a-z0-9]*>|<[a-z][a-z0-9]*(?: (?:href|src|title|alt|width|height|colspan|rowspan|rel)="[^"]*")*(?: \/)?>)*$/
const names = /<(\/?)([a-z][a-z0-9]*)(?: [a-z]+="[^"]*")*(?: \/)?>/g

test('sanitise of any input gives complete, nested elements of the allowed kinds', () => {
  let state = 1
  const below = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % count
  }
  for (let round = 0; round < 5000; round++) {
    const html = Array.from({ length: 2 + below(14) }, () => pieces[below(pieces.length)]).join(below(2) ? ' ' : '')
    const shown = sanitise(html)
    const open: string[] = []
    for (const [, end, name] of shown.matchAll(names)) {
      if (!end && !/^(?:br|hr|img)$/.test(name!)) open.push(name!)
      if (end) expect([html, open.pop()]).toEqual([html, name!])
    }
    expect([html, written.test(shown), open]).toEqual([html, true, []])
    expect([html, shown]).not.toEqual([
      html,
      expect.stringMatching(/<(?:script|style|svg|math|meta|base|form|title|xmp)/),
    ])
  }
})
