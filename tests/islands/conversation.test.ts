// @engine sqlite
/** Requests of the playground, and conversations as files and programs. */
import { describe, expect, test } from 'bun:test'
import { programs } from '../../client/playground/as-code.ts'
import {
  type Answer,
  chatBody,
  newAnswer,
  newConversation,
  type PlaygroundConversation,
  type Settings,
  titleOf,
} from '../../client/playground/conversation.ts'
import { asJson, asMarkdown } from '../../client/playground/export.ts'
import { translator } from '../../src/locales/index.ts'

const settings: Settings = { group: 'vip', models: ['m1', 'm2'], temperature: 0, max_tokens: 0, system: '' }
const PICTURE = 'data:image/png;base64,iVBORw0KGgo='

const answer = (text: string, fields: Partial<Answer> = {}): Answer => ({
  ...newAnswer('m1'),
  state: 'complete',
  text,
  ...fields,
})

const turn = (text: string, ...answers: Answer[]) => ({ id: text, text, images: [] as string[], answers })

const talk = (fields: Partial<PlaygroundConversation> = {}): PlaygroundConversation => ({
  ...newConversation(settings),
  ...fields,
})

describe('the request', () => {
  test('zeros are not sent, and an empty system prompt neither', () => {
    const turns = [turn('hi')]
    expect(chatBody(talk({ turns }), 0, 0, 'm1')).toEqual({
      ...{ model: 'm1', stream: true, group: 'vip' },
      messages: [{ role: 'user', content: 'hi' }],
    })
    const full = { ...settings, temperature: 0.6, max_tokens: 9, system: 'Be brief.' }
    expect(chatBody(talk({ turns, settings: full }), 0, 0, 'm1')).toMatchObject({
      ...{ temperature: 0.6, max_tokens: 9 },
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
    })
  })

  test('each model reads its own answers, and failed ones are left out with their question', () => {
    const turns = [
      turn('a', answer('one'), answer('two')),
      turn('b', answer('', { state: 'error', error: 'out of order' })),
      turn('c', answer('three')),
      turn('d'),
    ]
    const texts = (place: number) => chatBody(talk({ turns }), 3, place, 'm').messages.map(({ content }) => content)
    expect(texts(0)).toEqual(['a', 'one', 'c', 'three', 'd'])
    expect(texts(1)).toEqual(['a', 'two', 'c', 'three', 'd'])
  })

  test('turns before the cleared context are not sent, unless one of them is answered again', () => {
    const turns = [turn('a', answer('one')), turn('b', answer('two')), turn('c')]
    const texts = (at: number) =>
      chatBody(talk({ turns, context_from: 2 }), at, 0, 'm').messages.map(({ content }) => content)
    expect([texts(2), texts(1)]).toEqual([['c'], ['a', 'one', 'b']])
  })

  test('pictures go along as data URLs, with or without text', () => {
    const picture = { type: 'image_url', image_url: { url: PICTURE } }
    const content = (text: string) =>
      chatBody(talk({ turns: [{ ...turn(text), images: [PICTURE] }] }), 0, 0, 'm').messages[0]!.content
    expect(content('see') as unknown).toEqual([{ type: 'text', text: 'see' }, picture])
    expect(content('') as unknown).toEqual([picture])
  })

  test('a title is the beginning of the first message on one line', () => {
    expect([titleOf(' a\n b '), titleOf('x'.repeat(99)).length]).toEqual(['a b', 60])
  })
})

describe('the request as a program', () => {
  const text = 'it\'s "quoted" \\ $HOME `date` 你好\nline'
  const body = chatBody(talk({ turns: [{ ...turn(text), images: [PICTURE] }] }), 0, 0, 'm1')
  const written = Object.fromEntries(programs.map(({ id, write }) => [id, write('https://api.example/v1', body)]))

  test('all programs have the address, the placeholder of the key, and neither group nor picture', () => {
    for (const code of Object.values(written)) {
      expect(code).toContain('https://api.example/v1')
      expect(code).toContain('<YOUR_KEY>')
      expect(code).toContain('data:image/png;base64,<BASE64>')
      expect(/vip|iVBOR/.test(code)).toBe(false)
    }
  })

  test('a shell reads the body of the curl command as it was written', async () => {
    const shell = Bun.spawn(['sh', '-c', `curl() { for last; do :; done; printf %s "$last"; }\n${written.curl}`])
    const { messages, ...rest } = JSON.parse(await new Response(shell.stdout).text())
    expect(messages[0].content[0].text).toBe(text)
    expect(rest).toEqual({ model: 'm1', stream: true })
  })

  test('the Node program is a program', () => {
    const transpiled = new Bun.Transpiler({ loader: 'js' }).transformSync(written.node!)
    expect(transpiled).toContain('chat.completions.create')
  })
})

describe('exports', () => {
  const turns = [turn('why?', answer('because', { thinking: 'hm' })), turn('and?', answer('', { error: 'broke' }))]
  const conversation = talk({ title: 'Why', turns, settings: { ...settings, system: 'Be brief.' } })

  test('Markdown has the system prompt, every message, and errors', () => {
    expect(asMarkdown(conversation, translator('en'))).toBe(
      '# Why\n\n> Be brief.\n\n## You\n\nwhy?\n\n## m1\n\nbecause\n\n## You\n\nand?\n\n## m1\n\n**broke**\n',
    )
  })

  test('JSON has settings, thoughts and errors', () => {
    const { settings: written, turns } = JSON.parse(asJson(conversation))
    expect(written).toMatchObject({ group: 'vip', system: 'Be brief.' })
    expect(turns[0].answers).toEqual([{ model: 'm1', text: 'because', thinking: 'hm' }])
    expect(turns[1].answers[0].error).toBe('broke')
  })
})
