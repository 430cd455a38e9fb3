// @engine sqlite
/** docs/security.md: every attack of its tables names tests, and each of them exists. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'

const ROWS_MIN = 20
/** Of the attacks that the document must speak of. */
const CVES = ['41432', '42208', '49468', '45400', '45401', '45339', '30886', '45349', '25591']

const text = await Bun.file('docs/security.md').text()
const rows = text.split('\n').filter(line => line.startsWith('| ') && !/^\| (Attack|Finding) \|/.test(line))

/** `path`: “title”, “title”; of the last cell of a row. */
function testsOf(row: string): { path: string; titles: string[] }[] {
  const [, , cell = ''] = row.split(' | ')
  return cell.split('; `').map(part => ({
    path: /tests\/[\w./-]+\.test\.tsx?/.exec(part)?.[0] ?? '',
    titles: [...part.matchAll(/“(.+?)”/g)].map(([, title]) => title!),
  }))
}

test('the tables have a row for each known attack, and each row has an attack, a defence and tests', () => {
  expect(rows.length).toBeGreaterThan(ROWS_MIN)
  expect(CVES.filter(id => !rows.some(row => row.includes(`CVE-2026-${id}`)))).toEqual([])
  const bare = rows.filter(row => testsOf(row).some(({ path, titles }) => !existsSync(path) || !titles.length))
  expect(bare).toEqual([])
})

test('every test that a row names exists under its title', async () => {
  const missing: string[] = []
  for (const { path, titles } of rows.flatMap(testsOf)) {
    const code = await Bun.file(path).text()
    const isTitle = (title: string) =>
      [`'${title}'`, `"${title}"`, `\`${title}\``].some(quoted => code.includes(quoted))
    missing.push(...titles.filter(title => !isTitle(title)).map(title => `${path}: ${title}`))
  }
  expect(missing).toEqual([])
})
