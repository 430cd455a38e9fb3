/** The console while the database fails: responses are 503, not 500. */
import { expect, test } from 'bun:test'
import { closeDatabase, sqlite } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { anyone, ROOT, visitor } from '../support/people/person.ts'
import { holding } from '../support/postgres/locks.ts'

const sentence = 'The database is not available right now, please try again in a moment'

if (dialect === 'sqlite')
  test('a setup that cannot be stored reports no field', async () => {
    sqlite!.run('PRAGMA query_only = ON')
    const { username, password } = ROOT
    const page = await anyone.form('/setup', { username, password, confirmPassword: password, mode: 'self' })
    sqlite!.run('PRAGMA query_only = OFF')
    expect(page.status).toBe(503)
    expect(await page.text()).toContain(sentence)
  })

if (dialect === 'sqlite')
  test('a full disk refuses writes and keeps the visitor signed in on the page', async () => {
    const ann = await visitor()
    const [pages] = sqlite!.query<{ page_count: number }, []>('PRAGMA page_count').all()
    sqlite!.run(`PRAGMA max_page_count = ${pages!.page_count}`)
    const hundred = { name: 'many', count: 100, unlimited_quota: true }
    let refused = await ann.post('/api/token/', hundred)
    while (refused.success) refused = await ann.post('/api/token/', hundred)
    expect(refused).toMatchObject({ status: 503, code: 'error.database_unavailable', message: sentence })
    const limits = { rate_limit_period: '60', rate_limit_count: '0', rate_limit_success: '0' }
    const typed = { name: 'many', count: '100', remain_quota: '1', used_quota: '0', ...limits }
    const page = await ann.form('/app/tokens?new', typed)
    expect(page.status).toBe(503)
    const html = await page.text()
    expect(html).toContain(sentence)
    expect(html).toContain(ann.username)
    sqlite!.run('PRAGMA max_page_count = 1073741823')
    expect(await ann.post('/api/token/', hundred)).toMatchObject({ success: true })
  })

if (dialect === 'sqlite')
  test('a read-only database still serves signed-in users', async () => {
    const ann = await visitor()
    shiftClock(3600)
    sqlite!.run('PRAGMA query_only = ON')
    const [api, page] = [await ann.get('/api/user/self'), await ann.page('/app/logs/api-usage')]
    sqlite!.run('PRAGMA query_only = OFF')
    shiftClock(-3600)
    expect([api.status, page.status]).toEqual([200, 200])
  })

if (dialect === 'postgres')
  test('broken database connections are reported by the API and the pages', async () => {
    const ann = await visitor()
    const other = await holding('lock table sessions in access exclusive mode')
    let answered = false
    const answers = Promise.all([ann.fetch('/api/token/'), ann.page('/app/tokens')]).finally(() => {
      answered = true
    })
    while (!answered) {
      await other.breakWaiting()
      await Bun.sleep(20)
    }
    const [api, page] = await answers
    expect(api.status).toBe(503)
    expect(api.headers.get('retry-after')).toBe('1')
    expect(await api.json()).toMatchObject({ code: 'error.database_unavailable', message: sentence })
    expect(page.status).toBe(503)
    expect(await page.text()).toContain(sentence)
    await other.release()
    expect((await ann.page('/app/tokens')).status).toBe(200)
  })

test('the process stays alive and not ready without a database', async () => {
  const statuses = async () => [(await anyone.fetch('/healthz')).status, (await anyone.fetch('/readyz')).status]
  expect(await statuses()).toEqual([200, 200])
  await closeDatabase()
  expect(await statuses()).toEqual([200, 503])
})
