/** Options that are JSON of names, edited as rows without scripts: every one of them. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { cellsField, drawnField, type RowShape, rowsIn, rowsToJson } from '../../src/contracts/option-rows.ts'
import { GROUP_KEYS, PRICE_TABLES } from '../../src/contracts/pricing.ts'
import { catalog, type OptionKey, optionKeys } from '../../src/domain/options/catalog.ts'
import { option } from '../../src/domain/options/service.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { priceCells, priceFields, SETTINGS, sendPrices } from '../support/people/price-forms.ts'
import { openSettings, sendSection } from '../support/people/settings-form.ts'

/** Edited elsewhere: chat links have an order of their own, prices a form for each model. */
const others: string[] = ['Chats', ...PRICE_TABLES]

const keys = optionKeys.filter(key => catalog[key].widget === 'json' && !others.includes(key))
const isOfGroups = (key: OptionKey) => (GROUP_KEYS as readonly string[]).includes(key)

let root: Person
beforeAll(async () => {
  root = await setUp()
  // Settings of payments are refused without it.
  await setOption('ServerAddress', 'https://gate.example')
  // Models that calls fall back to need one.
  await setPrice('ModelPrice', { 'new-2': 1 })
})

/** What a browser without scripts has in the form of an option, and how it sends it. */
async function formOf(key: OptionKey) {
  if (isOfGroups(key)) {
    const path = `${SETTINGS}&area=groups`
    const cells = await priceCells(root, path, cellsField(key))
    const drawn = { [drawnField(key)]: JSON.stringify(option(key), null, 2) }
    const fields = { ...(await priceFields(root, path)), ...drawn, [cellsField(key)]: cells }
    return { fields, send: (changed: object) => sendPrices(root, 'groups', { ...fields, ...changed }) }
  }
  const { section, section_name } = catalog[key]
  const { forms } = await openSettings(root, section.tab)
  const fields = forms[section_name]!
  return { fields, send: (changed: Record<string, string[] | string>) => sendSection(root, fields, changed) }
}

/** A row that the option takes. */
const newRow = ({ kind, columns }: RowShape) =>
  columns.map((_, at) => (/numbers|nested/.test(kind) && at === columns.length - 1 ? '2' : `new-${at}`))

describe.each(keys)('%s', key => {
  const shape = catalog[key].rows!

  test('its empty row becomes one on saving, an emptied row goes, and its JSON can be edited instead', async () => {
    const { fields, send } = await formOf(key)
    const name = cellsField(key)
    const cells = fields[name] as string[]
    const width = shape.columns.length
    expect(cells.slice(-width)).toEqual(shape.columns.map(() => ''))
    const before = rowsIn(shape, JSON.stringify(option(key)))!
    expect(cells.slice(0, -width)).toEqual(before.flat())
    await send({ [name]: [...cells.slice(0, -width), ...newRow(shape)] })
    const added = [...before, newRow(shape)]
    expect(JSON.parse(rowsToJson(shape, added))).toEqual(option(key))
    const again = await formOf(key)
    const emptied = (again.fields[name] as string[]).map((cell, at) => (at >= before.length * width ? '' : cell))
    await again.send({ [name]: emptied })
    expect(option(key)).toEqual(JSON.parse(rowsToJson(shape, before)))
    const { send: sendJson } = await formOf(key)
    await sendJson({ [key]: rowsToJson(shape, added) })
    expect(option(key)).toEqual(JSON.parse(rowsToJson(shape, added)))
  })

  test('a row without its name, or with a text for a number, is refused at the row and can be mended', async () => {
    if (shape.kind === 'array' || shape.kind === 'texts' || shape.kind === 'lists') return
    const { fields, send } = await formOf(key)
    const [name, stored] = [cellsField(key), option(key)]
    const cells = fields[name] as string[]
    const bad = [
      ...newRow(shape)
        .slice(0, -1)
        .map(cell => `bad-${cell}`),
      'many',
    ]
    const { status, html } = await send({ [name]: [...cells.slice(0, -bad.length), ...bad] })
    expect([status, option(key)]).toEqual([422, stored])
    expect(html).toContain('bad-new-0: enter a number, at least 0')
    const drawn = [...html.matchAll(new RegExp(`<input[^>]*name="${name.replace(/[[\]]/g, '\\$&')}"[^>]*>`, 'g'))]
    expect(drawn.length).toBe(cells.length + bad.length)
  })
})
