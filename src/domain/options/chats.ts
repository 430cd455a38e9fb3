import { z } from 'zod'
import { json, line, section } from './declare.ts'

const running = /^(javascript|data|vbscript|blob|file):/i

/** Whether it would run in our own page instead of opening another. Browsers pass over blanks and controls in a scheme. */
const runsHere = (target: string) => running.test(target.replace(/[\s\p{Cc}]/gu, ''))

const Link = z
  .string('option.bad_chat')
  .min(1, 'option.bad_chat')
  .refine(target => !runsHere(target), 'option.bad_chat')

/** One object an entry, with the name as its only key. */
const Chats = z.array(
  z
    .record(z.string().min(1, 'option.bad_chat'), Link, 'option.bad_chat')
    .refine(chat => Object.keys(chat).length === 1, 'option.bad_chat'),
  'option.bad_chat',
)

const link = (name: 'chat_link' | 'chat_link2') => {
  const declared = line('', { publicAs: name })
  return {
    ...declared,
    schema: z
      .string()
      .trim()
      .refine(target => !runsHere(target), 'option.runs_scripts'),
  }
}

export const chats = section({
  tab: 'operation',
  options: {
    Chats: { ...json([], Chats), publicAs: 'chats' as const },
    chat_link: link('chat_link'),
    chat_link2: link('chat_link2'),
  },
})
