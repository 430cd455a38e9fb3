// @engine sqlite
/** Islands of the channel drawer: the list of keys, the picker of models, mappings as rows, the choice of a provider. */
import { describe, expect, test } from 'bun:test'
import '../support/dom/input-events.ts'

// React looks for the document when it is loaded.
const { stage } = await import('../support/dom/island.tsx')
const { flushSync } = await import('react-dom')
const { useState } = await import('react')
const { KeyField } = await import('../../client/channels/keys.tsx')
const { default: Mapping } = await import('../../client/channels/mapping.tsx')
const { ModelPicker } = await import('../../client/channels/model-picker.tsx')
const { default: Provider } = await import('../../client/channels/provider.tsx')
const { monogramOf } = await import('../../client/channels/monogram.ts')
const { newestFirst } = await import('../../src/models/newest-first.ts')
const { providerChoices } = await import('../../src/domain/channels/index.ts')

const { place, draw } = stage()
const all = <T extends Element = HTMLInputElement>(selector: string) => [...place.querySelectorAll<T>(selector)]
const one = <T extends Element = HTMLInputElement>(selector: string) => place.querySelector<T>(selector)!
const texts = (selector: string) => all<HTMLElement>(selector).map(element => element.textContent)

/** Types as a reader does: React sees the change of a value that it has not set itself. */
function type(control: HTMLInputElement | HTMLTextAreaElement, value: string) {
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!
  own.set!.call(control, value)
  flushSync(() => control.dispatchEvent(new window.Event('input', { bubbles: true })))
}

const click = (element: Element | undefined | null) => flushSync(() => (element as HTMLElement).click())
const buttonOf = (text: string) => all<HTMLButtonElement>('button').find(button => button.textContent!.startsWith(text))
const choice = (label: string) => providerChoices().find(provider => provider.label === label)!

describe('keys', () => {
  const sent = () => one<HTMLTextAreaElement>('textarea[name=key]').value
  const field = (label: string) => draw(<KeyField key={Math.random()} provider={choice(label)} masked="" value="" />)

  test('several keys open the list, each once, and one field holds them again', () => {
    field('OpenAI')
    type(one('textarea'), 'sk-one')
    expect(all('.key-list').length).toBe(0)
    type(one('textarea'), 'sk-one\nsk-two,sk-one, sk-three')
    expect(all('.key-list li input').map(input => input.value)).toEqual(['sk-one', 'sk-two', 'sk-three'])
    expect(texts('.key-list [role=status]')).toEqual(['3 keys · 1 repeated key left out'])
    click(all('.key-list li button')[1])
    type(all('.key-list li input')[0]!, 'sk-changed')
    expect(sent()).toBe('sk-changed\nsk-three')
    click(buttonOf('Back to one field'))
    expect(all('.key-list').length).toBe(0)
    expect(sent()).toBe('sk-changed\nsk-three')
  })

  test('the key of Vertex AI is one document, commas and lines included', () => {
    field('Vertex AI')
    type(one('textarea'), '{"type":"service_account",\n"x":1}')
    expect(all('.key-list').length).toBe(0)
    expect(sent()).toBe('{"type":"service_account",\n"x":1}')
  })

  test('a change of one of a thousand keys draws one row', () => {
    field('OpenAI')
    type(one('textarea'), Array.from({ length: 1000 }, (_, index) => `sk-${index}`).join('\n'))
    const rows = all('.key-list li')
    expect(rows.length).toBe(1000)
    const changes: MutationRecord[] = []
    const observer = new MutationObserver(records => void changes.push(...records))
    observer.observe(one('.key-list ol'), { subtree: true, childList: true, attributes: true })
    type(all('.key-list li input')[500]!, 'sk-other')
    changes.push(...observer.takeRecords())
    expect(all('.key-list li')).toEqual(rows)
    expect(new Set(changes.map(({ target }) => (target as Element).closest('li'))).size).toBeLessThanOrEqual(1)
    expect(sent().split('\n')[500]).toBe('sk-other')
  })
})

const offered = ['gpt-5', 'gpt-5-mini', 'o3', 'o3-mini', 'o3-pro', 'kept-model']
let chosen: string[] = []

function Picker({ isFetched }: { isFetched: boolean }) {
  const [names, setNames] = useState(['kept-model', 'lost-model'])
  chosen = [...new Set(names)]
  const priceless = new Set(['o3'])
  return <ModelPicker models={offered} onClose={() => {}} change={setNames} {...{ isFetched, chosen, priceless }} />
}

describe('models', () => {
  const row = (name: string) => all<HTMLElement>('li').find(item => item.querySelector('.mono')!.textContent === name)!
  const marks = (name: string) => [...row(name).querySelectorAll('.model-mark')].map(mark => mark.textContent)

  test('fetched models are new, kept or gone, and those without a price are marked', () => {
    draw(<Picker key="fetched" isFetched />)
    expect(['gpt-5', 'kept-model', 'lost-model', 'o3'].map(marks)).toEqual([
      ['new'],
      ['kept'],
      ['gone'],
      ['new', 'no price'],
    ])
    expect(texts('[role=status]')).toEqual(['5 new · 1 kept · 1 gone'])
    click(row('gpt-5').querySelector('input'))
    click(row('lost-model').querySelector('input'))
    expect(chosen).toEqual(['kept-model', 'gpt-5'])
    expect(marks('gpt-5')).toEqual(['new'])
  })

  test('models are ticked all at once, by prefix, or as found', () => {
    draw(<Picker key="known" isFetched={false} />)
    expect(all('li').length).toBe(offered.length)
    click(buttonOf('gpt-'))
    expect(chosen).toEqual(['kept-model', 'lost-model', 'gpt-5', 'gpt-5-mini'])
    click(buttonOf('gpt-'))
    expect(chosen).toEqual(['kept-model', 'lost-model'])
    type(one('input[type=search]'), 'MINI')
    expect(texts('li .mono')).toEqual(['gpt-5-mini', 'o3-mini'])
    click(buttonOf('Select all 2'))
    expect(chosen).toEqual(['kept-model', 'lost-model', 'gpt-5-mini', 'o3-mini'])
    type(one('input[type=search]'), '')
    click(buttonOf('Clear these'))
    expect(chosen).toEqual(['lost-model'])
  })

  test('known models stand newest first, without a date before those with one', () => {
    const names = [
      'claude-2',
      'claude-opus-4-20250514',
      'claude-opus-4-8',
      'claude-3-5-haiku-20241022',
      'claude-opus-4-0',
    ]
    expect(newestFirst(names)).toEqual([
      'claude-opus-4-8',
      'claude-opus-4-0',
      'claude-opus-4-20250514',
      'claude-3-5-haiku-20241022',
      'claude-2',
    ])
    expect(newestFirst(['whisper', 'llama-3-70b', 'gpt-4o', 'gpt-5.1'])).toEqual([
      'gpt-5.1',
      'gpt-4o',
      'llama-3-70b',
      'whisper',
    ])
  })
})

describe('mappings', () => {
  const sent = () => one<HTMLTextAreaElement>('textarea').value
  const rows = () => all('.mapping-rows input')
  const mapping = (of: 'model_mapping' | 'status_code_mapping', value = '') =>
    draw(<Mapping key={Math.random()} of={of} value={value} />)

  test('rows become JSON, and JSON rows', () => {
    mapping('model_mapping', '{"a":"b"}')
    expect(rows().map(input => input.value)).toEqual(['a', 'b'])
    click(buttonOf('Add row'))
    type(rows()[2]!, 'c')
    type(rows()[3]!, 'd')
    expect(JSON.parse(sent())).toEqual({ a: 'b', c: 'd' })
    click(buttonOf('Edit as JSON'))
    type(one('textarea'), '{"x":"y"}')
    click(buttonOf('Edit as rows'))
    expect(rows().map(input => input.value)).toEqual(['x', 'y'])
    click(one('.icon-button'))
    expect(sent()).toBe('')
  })

  test('a circle, a repeated name and broken JSON are refused at the field', () => {
    mapping('model_mapping', '{"a":"b","b":"a"}')
    expect(texts('.error-text')).toEqual([expect.stringContaining('contains a circle')])
    type(rows()[2]!, 'a')
    expect(texts('.error-text')).toEqual(['A name stands on the left twice'])
    click(buttonOf('Edit as JSON'))
    type(one('textarea'), '{"a":')
    expect(texts('.error-text')).toEqual([expect.stringContaining('must be a JSON object')])
    expect(buttonOf('Edit as rows')!.disabled).toBe(true)
  })

  test('a status maps to an error status only', () => {
    mapping('status_code_mapping', '{"429":"500"}')
    expect(texts('.error-text')).toEqual([])
    type(rows()[1]!, '200')
    expect(texts('.error-text').length).toBe(1)
  })
})

describe('the provider', () => {
  const values = {
    name: 'OpenAI',
    type: '1',
    base_url: '',
    other: '',
    key: '',
    dify_app: '',
    workspace: '',
    mj_keep_mode: '',
    mj_notify: '',
    routes: '',
  }
  const providers = providerChoices().map(provider => ({ ...provider, free_name: `${provider.label} 2` }))
  const form = (named = values) =>
    draw(
      <Provider key={Math.random()} providers={providers} values={named} name_max={100} masked="" isNew errors={{}} />,
    )
  const pick = (label: string) =>
    click(
      all('.provider-tile')
        .find(tile => tile.textContent!.endsWith(label))!
        .querySelector('input'),
    )

  test('a choice sets the type, the name that was not typed, and the fields of the type', () => {
    form({ ...values, name: 'OpenAI 2' })
    pick('Azure OpenAI')
    expect(one<HTMLSelectElement>('select').value).toBe('3')
    expect(one('[name=name]').value).toBe('Azure OpenAI 2')
    expect(one('[name=other]').placeholder).toBe('2024-12-01-preview')
    expect(texts('label[for=field-base_url]')).toEqual(['Resource URL '])
    type(one('[name=name]'), 'mine')
    pick('DeepSeek')
    expect(one('[name=name]').value).toBe('mine')
  })

  test('a search finds every provider, and those of a later version cannot be chosen', () => {
    form()
    expect(
      all('.provider-tile')
        .slice(0, 8)
        .map(tile => tile.textContent),
    ).toContain('AOAzure OpenAI')
    type(one('input[type=search]'), 'proxy plus')
    expect(texts('.provider-tile')).toEqual(['MPMidjourney Proxy Plus'])
    expect(one('.provider-tile input').disabled).toBe(true)
    type(one('input[type=search]'), 'nothing like it')
    expect(texts('[role=radiogroup] .help').length).toBe(1)
  })

  test('a monogram has two letters of the label', () => {
    expect(['OpenAI', 'Ollama', 'xAI', '360', 'Anthropic Claude'].map(monogramOf)).toEqual([
      'OA',
      'Ol',
      'xA',
      '36',
      'AC',
    ])
  })
})
