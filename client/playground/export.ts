/** A conversation as a file: Markdown to read, JSON to use. */
import type { Translate } from '../../src/locales/translator.ts'
import type { PlaygroundConversation } from './conversation.ts'

export function asMarkdown({ title, settings, turns }: PlaygroundConversation, t: Translate): string {
  const system = settings.system.trim() && `> ${settings.system.trim().replaceAll('\n', '\n> ')}`
  const parts = turns.flatMap(({ text, images, answers }) => [
    `## ${t('playground.you')}`,
    [text, ...images.map((_, index) => `[${t('playground.picture')} ${index + 1}]`)].filter(Boolean).join('\n\n'),
    ...answers.flatMap(({ model, text, error }) => [`## ${model}`, error ? `${text}\n\n**${error}**`.trim() : text]),
  ])
  return `${[`# ${title}`, system, ...parts].filter(Boolean).join('\n\n')}\n`
}

export function asJson({ title, created_at, settings, turns }: PlaygroundConversation): string {
  const written = turns.map(({ text, images, answers }) => ({
    text,
    images,
    answers: answers.map(({ model, text, thinking, error, request_id, bill }) => ({
      ...{ model, text, thinking: thinking || undefined, error, request_id },
      ...{ input_tokens: bill?.prompt_tokens, output_tokens: bill?.completion_tokens, quota: bill?.slip.quota },
    })),
  }))
  return `${JSON.stringify({ title, created_at: new Date(created_at).toISOString(), settings, turns: written }, undefined, 2)}\n`
}

const NAME_MAX = 40

export function download({ title }: PlaygroundConversation, kind: 'md' | 'json', content: string) {
  const type = kind === 'md' ? 'text/markdown' : 'application/json'
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }))
  const name = title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, NAME_MAX)
  Object.assign(document.createElement('a'), { href: url, download: `${name || 'conversation'}.${kind}` }).click()
  URL.revokeObjectURL(url)
}
