// @engine sqlite
/** Custom scripts and styles of the operator under the content security policy. */
import { expect, test } from 'bun:test'
import { problemsOf, visit } from '../support/browser/browser.ts'
import { anyone, setUp } from '../support/people/person.ts'

test('scripts and styles of the operator run on every page', async () => {
  const root = await setUp()
  const save = (key: string, value: string) => root.put('/api/option/', { key, value })
  await save('global_js', 'document.documentElement.dataset.script = "ran"')
  await save('global_css', ':root { --from-sheet: 1 }')
  await save(
    'custom_head_html',
    '<script>document.documentElement.dataset.inline = "ran"</script><style>:root { --from-head: 1 }</style>',
  )
  for (const [person, path] of [
    [anyone, '/login'],
    [root, '/app/tokens'],
  ] as const) {
    const page = await visit(person, path)
    const found = await page.evaluate(() => {
      const { documentElement } = document
      const styles = getComputedStyle(documentElement)
      const { script, inline } = documentElement.dataset
      return [script, inline, styles.getPropertyValue('--from-sheet'), styles.getPropertyValue('--from-head')]
    })
    expect([path, ...found]).toEqual([path, 'ran', 'ran', '1', '1'])
    expect(problemsOf(page)).toEqual([])
  }
})
