/** Banners over the page: the browser is offline; the server runs a newer version. The page reloads only when asked to. */
import { refresh } from './latest-response.ts'

function banner(name: 'offline' | 'version') {
  if (document.querySelector(`[data-banner=${name}]`)) return
  const template = document.getElementById(`banner-${name}`) as HTMLTemplateElement | null
  if (template) document.getElementById('banners')!.append(template.content.cloneNode(true))
}

const goOnline = () => document.querySelector('[data-banner=offline]')?.remove()

addEventListener('offline', () => banner('offline'))
addEventListener('online', () => {
  goOnline()
  refresh()
})
if (!navigator.onLine) banner('offline')

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[data-banner] button')
  if (!button) return
  const { act } = button.dataset
  if (act === 'retry') refresh()
  if (act === 'reload') location.reload()
  if (act === 'close') button.closest('[data-banner]')!.remove()
})

const running = document.querySelector('script[type=module][src^="/build/"]')?.getAttribute('src')

/** Every response of the server names its build; the inbox polls when the tab returns. */
document.addEventListener('htmx:after:request', event => {
  const { response } = (event as CustomEvent<{ ctx: { response?: { headers: Headers } } }>).detail.ctx
  const build = response?.headers.get('tollgate-build')
  if (!build) return
  goOnline()
  if (running && build !== running) banner('version')
})
