/** Options of chat clients that tokens can be opened in: sites, and apps by their own schemes. */
import { z } from 'zod'
import { isChatAddress, runsScript } from '../../contracts/address.ts'
import { json, line, section } from './declare.ts'

const Link = z
  .string('option.bad_chat')
  .min(1, 'option.bad_chat')
  .refine(target => !runsScript(target), 'option.bad_chat')

/** JSON array of objects with one key each, the name. */
const Chats = z
  .array(
    z
      .record(z.string().min(1, 'option.bad_chat'), Link, 'option.bad_chat')
      .refine(chat => Object.keys(chat).length === 1, 'option.bad_chat'),
    'option.bad_chat',
  )
  .superRefine((chats, context) => {
    const [name] = chats.flatMap(Object.entries).find(([, address]) => !isChatAddress(address)) ?? []
    if (name !== undefined) context.addIssue({ code: 'custom', message: 'option.bad_chat_address', path: [name] })
  })

const link = (name: 'chat_link' | 'chat_link2') => {
  const option = line('', { publicAs: name })
  return {
    ...option,
    schema: z
      .string()
      .trim()
      .refine(target => !runsScript(target), 'option.runs_scripts')
      .refine(target => target === '' || isChatAddress(target), 'option.bad_chat_link'),
  }
}

export const chats = section({
  tab: 'operation',
  // Each client is given API keys of those who open it.
  root: true,
  options: {
    Chats: { ...json([], Chats), publicAs: 'chats' as const },
    chat_link: link('chat_link'),
    chat_link2: link('chat_link2'),
  },
})
