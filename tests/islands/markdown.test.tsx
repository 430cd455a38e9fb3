// @engine sqlite
/** Markdown of models: what becomes an element, what stays text, and what is drawn again while it streams in. */
import { describe, expect, spyOn, test } from 'bun:test'
import { Lexer } from 'marked'
import { BlockSplitter } from '../../client/playground/blocks.ts'
import { Markdown } from '../../client/playground/markdown.tsx'
import { stage } from '../support/dom/island.tsx'
import { until } from '../support/until.ts'

const { place, draw } = stage()

function html(text: string, streaming = false): string {
  draw(<Markdown key={Math.random()} text={text} streaming={streaming} />)
  return place.innerHTML
}

describe('markdown', () => {
  test('blocks and inline marks become elements', () => {
    expect(html('# One\n\ntwo **three** *four* ~~five~~ `six`')).toBe(
      '<h3>One</h3><p>two <strong>three</strong> <em>four</em> <del>five</del> <code>six</code></p>',
    )
    expect(html('1. a\n2. b\n   - c')).toBe('<ol start="1"><li>a</li><li>b<ul><li>c</li></ul></li></ol>')
    expect(html('> quoted\n\n---')).toBe('<blockquote><p>quoted</p></blockquote><hr>')
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<th class="align-right">b</th>')
    expect(html('- [x] done')).toContain('☑ ')
  })

  test('character references are read once, and not in code', () => {
    expect(html('a &lt;b&gt; &amp;amp; &#39;')).toBe("<p>a &lt;b&gt; &amp;amp; '</p>")
    expect(html('`&lt;`')).toBe('<p><code>&amp;lt;</code></p>')
  })

  test('amounts of dollars are no formulas', () => {
    expect(place.querySelector('.formula')).toBeNull()
    html('It costs $5 and $10, or $5-$10.')
    expect(place.querySelector('.formula')).toBeNull()
    html('So $a^2$ and \\(b\\) are, and\n\n$$\nc\n$$\n')
    expect(place.querySelectorAll('.formula').length).toBe(3)
  })
})

const hostile = [
  '<script>alert(1)</script>',
  'text <script>alert(1)</script> text',
  '<img src=x onerror=alert(1)>',
  'a <img src="https://evil.example/p.png" onerror="alert(1)"> b',
  '<svg onload=alert(1)><circle/></svg>',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](vbscript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](file:///etc/passwd)',
  '[x](blob:http://localhost/1)',
  '[x](/logout)',
  '[x](//evil.example)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zy8+)',
  '![x](https://evil.example/p.png?q=secret)',
  '![x](http://evil.example/p.png)',
  '[![x](https://evil.example/p.png)](javascript:alert(1))',
  '> - > <img src=x onerror=alert(1)>',
  '| <script>a</script> | [x](javascript:b) |\n|---|---|\n| <img src=x onerror=c> | d |',
  '```html\n<script>alert(1)</script>\n```',
  '<style>*{display:none}</style>',
  '<form action="/logout"><button>x</button></form>',
  '<base href="https://evil.example">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '[x]: javascript:alert(1)\n\n[x]',
  '**<b onmouseover=alert(1)>x</b>**',
  `${'>'.repeat(500)} deep`,
  `${'- '.repeat(300)}deep`,
  `${'['.repeat(300)}x${']'.repeat(300)}(javascript:alert(1))`,
]

describe('hostile text', () => {
  test.each(hostile)('the text %j stays inert', text => {
    html(text)
    const banned = 'script, iframe, style, form, base, meta, object, embed, img, svg:not(.icon)'
    expect([...place.querySelectorAll(banned)].map(element => element.tagName)).toEqual([])
    const attributes = [...place.querySelectorAll('*')].flatMap(element => element.getAttributeNames())
    expect(attributes.filter(name => /^on|^srcdoc$|^formaction$/.test(name))).toEqual([])
    expect([...place.querySelectorAll('a')].map(link => link.getAttribute('href'))).toEqual([])
    expect(place.textContent!.length).toBeGreaterThan(0)
  })

  test.each(['>', '- 1. ', '> - '])('20,000 characters of nested %p are text, and rules stay rules', unit => {
    html(`${unit.repeat(20_000 / unit.length)}end`)
    expect([place.querySelectorAll('blockquote, li').length, place.textContent!.endsWith('end')]).toEqual([0, true])
    html(`${'-'.repeat(80)}\n\n${'* '.repeat(40)}`)
    expect(place.querySelectorAll('hr').length).toBe(2)
  })

  test('links of the web open apart, without a referrer', () => {
    html('[a](https://a.example/b "c") <mailto:x@y.example> http://c.example/')
    const links = [...place.querySelectorAll('a')].map(link => [link.href, link.target, link.rel])
    const rel = 'noopener noreferrer nofollow'
    expect(links).toEqual([
      ['https://a.example/b', '_blank', rel],
      ['mailto:x@y.example', '_blank', rel],
      ['http://c.example/', '_blank', rel],
    ])
  })

  test('a picture of another site names its host and waits for a click', async () => {
    html('![a chart](https://evil.example/p.png?q=secret)')
    expect(place.querySelector('img')).toBeNull()
    expect(place.textContent).toContain('a chart from evil.example')
    place.querySelector('button')!.click()
    await until(() => place.querySelector('img') !== null)
    const { src, referrerPolicy } = place.querySelector('img')!
    expect([src, referrerPolicy]).toEqual(['https://evil.example/p.png?q=secret', 'no-referrer'])
    html('![dot](data:image/png;base64,iVBORw0KGgo=)')
    expect(place.querySelector('img')!.getAttribute('alt')).toBe('dot')
  })
})

describe('streamed text', () => {
  const text = Array.from({ length: 60 }, (_, index) =>
    index % 5 === 4
      ? `- item ${index}\n- more\n\n`
      : index % 7 === 3
        ? `\`\`\`js\nlet a = ${index}\n\nb()\n\`\`\`\n\n`
        : `Para **${index}**\n\n`,
  ).join('')

  test('the blocks of a text in pieces are those of the whole', () => {
    const whole = new BlockSplitter().split(text)
    for (const size of [1, 7, 50]) {
      const splitter = new BlockSplitter()
      for (let at = size; at < text.length; at += size) splitter.split(text.slice(0, at))
      const kinds = (blocks: typeof whole) =>
        blocks.filter(({ token }) => token.type !== 'space').map(({ token }) => [token.type, token.raw.trim()])
      expect(kinds(splitter.split(text))).toEqual(kinds(whole))
    }
  })

  test('finished blocks are read once and keep their identity', () => {
    const splitter = new BlockSplitter()
    const first = splitter.split('one\n\ntwo\n\nthr')
    const second = splitter.split('one\n\ntwo\n\nthree and more')
    expect(second.map(({ token }, index) => token === first[index]?.token)).toEqual([true, true, true, true, false])
    expect(splitter.split('another').map(({ token }) => token.raw)).toEqual(['another'])
  })

  test('elements of finished blocks stay while the last one grows', () => {
    draw(<Markdown text={'one\n\n- a\n- b'} streaming />)
    const [paragraph, item] = [place.querySelector('p'), place.querySelector('li')]
    draw(<Markdown text={'one\n\n- a\n- b and\n- c'} streaming />)
    expect([place.querySelector('p') === paragraph, place.querySelector('li') === item]).toEqual([true, true])
    expect(place.querySelectorAll('li').length).toBe(3)
  })

  test('code is drawn in pieces of which only the last one changes', () => {
    const code = Array.from({ length: 250 }, (_, line) => `line ${line}`).join('\n')
    draw(<Markdown text={`\`\`\`\n${code}`} streaming />)
    const pieces = [...place.querySelectorAll('.piece')]
    expect(pieces.length).toBe(3)
    expect(place.querySelector('pre')!.textContent!.trim()).toBe(code)
    draw(<Markdown text={`\`\`\`\n${code}\nmore`} streaming />)
    expect([...place.querySelectorAll('.piece')].map((piece, index) => piece === pieces[index])).toEqual([
      true,
      true,
      true,
    ])
  })
})

const DRAWINGS = 120

describe('long streamed text', () => {
  const words = (count: number) => 'word **bold** `code` $a^2$ '.repeat(count)
  const many = (line: (index: number) => string) => Array.from({ length: 200 }, (_, index) => line(index)).join('')
  const table = '| a | b |\n|:--|---|\n'
  const long: Record<string, string> = {
    blocks: many(index => `## Part ${index}\n\n${words(3)}\n\n- one\n- two\n\n\`\`\`js\nlet a = ${index}\n\`\`\`\n\n`),
    list: many(index => `- item ${index} ${words(2)}\n`),
    'nested list': many(index => `${index + 1}. item\n   - inner ${words(1)}\n     more\n`),
    'list with gaps': many(index => `* [ ] item ${index} ${words(1)}\n${index % 7 ? '' : '\n'}`),
    table: `${table}${many(index => `| ${index} | ${words(1)} |\n`)}`,
    code: `\`\`\`js\n${many(index => `let a${index} = 1\n`)}`,
  }
  const after = [
    '',
    '\n\nAn end\n\n- another',
    '\n+ another\n+ list\n',
    '\n---\n# Title',
    '\nlazy line\n\n    indented',
  ]

  test.each(Object.keys(long))('a long text of %s is read as the whole is, whatever follows', kind => {
    for (const end of after) {
      const text = long[kind]! + end
      const splitter = new BlockSplitter()
      for (let at = 0; at < text.length; at += 197) splitter.split(text.slice(0, at))
      for (let at = text.length - 40; at < text.length; at++) splitter.split(text.slice(0, at))
      const read = (blocks: ReturnType<typeof splitter.split>) =>
        blocks.filter(({ token }) => token.type !== 'space').map(({ token }) => ({ ...token, raw: token.raw.trim() }))
      expect(Bun.deepEquals(read(splitter.split(text)), read(new BlockSplitter().split(text)))).toBe(true)
    }
  })

  test.each(Object.keys(long).filter(kind => kind !== 'code'))(
    'the work of a piece does not grow with the text of %s: what is read, and what is drawn',
    kind => {
      const text = long[kind]!
      const lex = spyOn(Lexer.prototype, 'lex')
      const changes: MutationRecord[] = []
      const observer = new MutationObserver(records => void changes.push(...records))
      draw(<Markdown key={kind} text="" streaming />)
      observer.observe(place, { subtree: true, childList: true, characterData: true, attributes: true })
      const work: { read: number; drawn: number }[] = []
      for (let at = 0; at <= text.length; at += Math.ceil(text.length / DRAWINGS)) {
        lex.mockClear()
        observer.takeRecords()
        draw(<Markdown key={kind} text={text.slice(0, at)} streaming />)
        const read = lex.mock.calls.reduce((sum, [source]) => sum + source.length, 0)
        work.push({ read, drawn: observer.takeRecords().length })
      }
      observer.disconnect()
      lex.mockRestore()
      const most = (of: 'read' | 'drawn', part: typeof work) => Math.max(...part.map(one => one[of]))
      const [begun, ended] = [work.slice(0, DRAWINGS / 3), work.slice(-DRAWINGS / 3)]
      expect(most('read', ended)).toBeLessThan(1.5 * most('read', begun))
      expect(most('drawn', begun)).toBeGreaterThan(0)
      expect(most('drawn', ended)).toBeLessThan(1.5 * most('drawn', begun))
    },
  )
})
