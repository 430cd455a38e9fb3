/** CSV export of the usage log. */
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { now } from '../../src/process/clock.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'

const start = now()
let ann: Person
let bob: Person
beforeAll(async () => {
  ;[ann, bob] = [await visitor(), await visitor()]
})
beforeEach(async () => void (await db.delete(logs)))

const tableOf = async (person: Person) => (await person.page('/app/logs/api-usage/export.csv?range=30d')).text()

test('a CSV export escapes cells that a spreadsheet would run as formulas', async () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1', '="a",b']
  await write(ann, ...formulas.map(content => ({ content })))
  const table = await tableOf(ann)
  for (const formula of formulas) {
    const text = `'${formula.replaceAll('"', '""')}`
    const cell = /[",\r\n]/.test(text) ? `"${text}"` : text
    expect([formula, table.includes(`,${cell},`)]).toEqual([formula, true])
  }
})

test('a CSV export of several batches has each entry of its owner once', async () => {
  await write(bob, { model_name: 'of-bob', created_at: start - 20 })
  await write(ann, { model_name: 'the-oldest', created_at: start - 10 })
  const same = Array.from({ length: 2100 }, (_, index) => ({ model_name: `m${index}`, created_at: start - 5 }))
  await write(ann, ...same)
  const table = await tableOf(ann)
  const found = [...table.matchAll(/,(m\d+|the-oldest|of-bob),/g)].map(([, name]) => name)
  expect(found).toEqual([...same.map(({ model_name }) => model_name).reverse(), 'the-oldest'])
})
