// @engine sqlite
// @tier long
/** Hostile content in a browser: messages in the inbox and where administrators see them, and the operator's texts. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { leave, PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { payloads } from '../support/browser/payloads.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'

const admin = await visitor(Role.admin)

async function send(to: Person, fields: object): Promise<number> {
  const { data } = await admin.post('/api/admin/messages', { user_ids: [to.id], ...fields })
  return data.id
}

/** What the page must not have: elements and attributes that run, load, cover or shadow something. */
const hostile = (page: Page, text = '.message-text', images: 'img' | 'none' = 'none') =>
  page.evaluate(
    ([text, images]) => {
      const inside = [...document.querySelectorAll(`:is(${text}) *`)]
      const allowed = [
        'href',
        'title',
        'rel',
        'align',
        'start',
        'colspan',
        'rowspan',
        ...(images === 'img' ? ['src', 'alt'] : []),
      ]
      return {
        ran: 'ran' in window,
        elements: inside.filter(
          element =>
            element.matches(`script,style,svg,math,iframe,form,input,video,link,base,meta`) ||
            (images === 'none' && element.matches('img')),
        ).length,
        attributes: inside.flatMap(element => element.getAttributeNames()).filter(name => !allowed.includes(name)),
        links: inside
          .filter(element => element.matches('a[href]'))
          .map(link => (link as HTMLAnchorElement).protocol)
          .filter(protocol => !['http:', 'https:', 'mailto:'].includes(protocol)),
        clobbered:
          document.getElementById('messages')?.tagName !== 'SCRIPT' || typeof document.querySelector !== 'function',
      }
    },
    [text, images] as const,
  )

const harmless = { ran: false, elements: 0, attributes: [], links: [], clobbered: false }

test.each(['markdown', 'html'] as const)(
  'hostile content in %s runs nothing, loads nothing and covers nothing, wherever it is shown',
  async format => {
    const ann = await visitor()
    const ids: number[] = []
    for (const payload of payloads) {
      const title = payload.replaceAll('\n', ' ').slice(0, 200)
      ids.push(await send(ann, { title, content: `before\n\n${payload}\n\nafter`, format }))
    }
    const all = await send(ann, { title: 'all', content: payloads.join('\n\n'), format })
    const paths = ['/app/inbox?p=2', ...ids.slice(0, 3).map(id => `/app/inbox/${id}`), `/app/inbox/${all}`]
    for (const [person, path] of [
      ...paths.map(path => [ann, path] as const),
      [admin, '/admin/messages'] as const,
      [admin, `/admin/messages?edit=${all}`] as const,
      [admin, `/admin/messages?delete=${ids[1]}`] as const,
    ]) {
      const page = await visit(person, path)
      const foreign: string[] = []
      page.on('request', request => /evil|logout/.test(request.url()) && foreign.push(request.url()))
      page.on('dialog', dialog => foreign.push(dialog.message()))
      await page.evaluate(() => {
        for (const link of document.querySelectorAll<HTMLElement>('.message-text a:not([href])')) link.click()
      })
      expect([path, await hostile(page), foreign, problemsOf(page)]).toEqual([path, harmless, [], []])
      await leave(page)
    }
    // Each alone, in a document that has no policy against scripts.
    const page = await visit(ann, '/app/inbox')
    await page.route('**/bare', route =>
      route.fulfill({ contentType: 'text/html', body: '<script id=messages></script>' }),
    )
    for (const id of ids) {
      const html = await (await ann.page(`/app/inbox/${id}`)).text()
      const article = html.slice(html.indexOf('<article'), html.indexOf('</main>'))
      expect(article).toMatch(/class="message-text">[\s\S]*before/)
      await page.goto('/bare')
      await page.evaluate(text => document.body.insertAdjacentHTML('beforeend', text), article)
      expect([payloads[ids.indexOf(id)], await hostile(page)]).toEqual([payloads[ids.indexOf(id)], harmless])
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)

/** Where each text of the operator is shown, to every visitor and in the preview of the settings. */
const places: [key: string, path: string, text: string][] = [
  ['Notice', '/', '.operator-notice .message-text'],
  ['HomePageContent', '/', '.operator-text .message-text'],
  ['About', '/about', '.operator-text .message-text'],
  ['Footer', '/', '.page-foot'],
]

test(
  'hostile announcement, home page, about page and footer run nothing and cover nothing; only their pictures load',
  async () => {
    const root = await setUp()
    for (const [key] of places)
      expect((await root.put('/api/option/', { key, value: payloads.join('\n\n') })).success).toBe(true)
    const page = await visit(anyone, '/pricing')
    await page.route('https://evil.example/**', route => route.fulfill({ status: 204 }))
    const foreign: string[] = []
    page.on('request', request => /evil/.test(request.url()) && foreign.push(request.url()))
    for (const path of ['/', '/about']) {
      await page.goto(path)
      const texts = places.filter(([, shownAt]) => shownAt === path).map(([, , text]) => text)
      for (const text of texts) expect([path, text, await page.locator(text).count()]).toEqual([path, text, 1])
      expect([path, await hostile(page, texts.join(), 'img')]).toEqual([path, harmless])
    }
    expect(new Set(foreign)).toEqual(new Set(['https://evil.example/pixel.png']))
    for (const [key] of places) await root.put('/api/option/', { key, value: '' })
  },
  PAGE_TEST_TIMEOUT_MS,
)
