/** A write of each form of the settings and of price administration. */
import { sign } from '../../../src/crypto/sealing.ts'
import { type Person, setUp } from './person.ts'
import { PRICES } from './price-forms.ts'
import { changeSetting } from './settings-form.ts'

const DIGEST_LENGTH = 16

/** Digest of an empty table, as its form carries it. */
const empty = sign('option', '{}').slice(0, DIGEST_LENGTH)

/** Gives a new model a ratio. */
const addModel = (person: Person, name: string) =>
  person.form(`${PRICES}/models`, { name, mode: 'ratio', model_ratio: '2' })

/** By route: what the write needs first, and the request. */
export const priceWrites: Record<string, (person: Person) => Promise<unknown>> = {
  'POST /admin/settings/save': person =>
    changeSetting(person, 'TopUpLink', `https://shop.example.com/${crypto.randomUUID()}`),
  [`POST ${PRICES}/tables`]: person =>
    person.form(`${PRICES}/tables`, { ReasoningRatio: '{"gpt-4o":3}', read_ReasoningRatio: empty }),
  [`POST ${PRICES}/groups`]: person =>
    person.form(`${PRICES}/groups`, { GroupGroupRatio: '{"vip":{"vip":1}}', read_GroupGroupRatio: empty }),
  [`POST ${PRICES}/fallback`]: person => person.form(`${PRICES}/fallback`, { fallback_single_price: '3' }),
  [`POST ${PRICES}/models`]: person => addModel(person, 'written-one'),
  [`POST ${PRICES}/models/delete`]: async person => {
    await addModel(await setUp(), 'written-two')
    return person.form(`${PRICES}/models/delete?delete=written-two`)
  },
  [`POST ${PRICES}/unset`]: person =>
    person.form(`${PRICES}/unset`, { 'ids[]': ['written-three'], mode: 'price', price: '1' }),
  [`POST ${PRICES}/reset`]: async person => {
    await addModel(await setUp(), 'written-four')
    return person.form(`${PRICES}/reset`)
  },
  [`POST ${PRICES}/import/take`]: person =>
    person.form(`${PRICES}/import/take`, { 'all[]': [':ModelPrice:1:five'], 'ids[]': ['ModelPrice:1:five'] }),
  [`POST ${PRICES}/:id/undo`]: async person => {
    const root = await setUp()
    await addModel(root, 'written-six')
    const history = await (await root.page('/admin/settings?area=history')).text()
    return person.form(`${PRICES}/${/undo=(\d+)/.exec(history)![1]}/undo`)
  },
}
