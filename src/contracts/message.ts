/** Messages of administrators to users: fields, limits, recipients and filters. */
import { z } from 'zod'
import { bodyOf } from './body.ts'
import { optional } from './paging.ts'

export const INBOX_PATH = '/app/inbox'

const MESSAGE_FORMATS = ['markdown', 'html'] as const
export type MessageFormat = (typeof MESSAGE_FORMATS)[number]

/** Characters. */
export const MESSAGE_TITLE_MAX = 200
export const MESSAGE_CONTENT_BYTES_MAX = 65_536
/** More are addressed by their group, or all at once. */
const USER_IDS_MAX = 10_000
export const RECIPIENTS_PER_PAGE = 10
export const PICKER_USERS_PER_PAGE = 20

interface WrittenMessage {
  id: number
  title: string
  /** Markdown or HTML, as written. */
  content: string
  format: MessageFormat
  created_time: number
}

/** A message as one of its recipients sees it. */
export interface InboxMessage extends WrittenMessage {
  /** Null while unread. */
  read_time: number | null
}

/** A message as administrators see it. */
export interface SentMessage extends WrittenMessage {
  updated_time: number
  created_by: number
  total_recipients: number
  read_count: number
}

export interface MessageRecipient {
  user_id: number
  username: string
  display_name: string
  /** Null while unread. */
  read_time: number | null
}

/** Whom a new message goes to: users by id, the users of a group, or all. Only existing users who are not banned get it. */
export interface Addressees {
  user_ids: number[]
  group: string
  all: boolean
}

export const isAddressed = ({ user_ids, group, all }: Addressees) => all || group !== '' || user_ids.length > 0

const text = z.object({
  title: z
    .string('message.title_required')
    .trim()
    .min(1, 'message.title_required')
    .refine(title => [...title].length <= MESSAGE_TITLE_MAX, 'message.title_too_long'),
  content: z
    .string('message.content_required')
    .trim()
    .min(1, 'message.content_required')
    .refine(content => bytesOf(content) <= MESSAGE_CONTENT_BYTES_MAX, 'message.content_too_long'),
  format: z.enum(MESSAGE_FORMATS, 'message.format_invalid'),
})

const bytesOf = (content: string) => new TextEncoder().encode(content).length

/** Fields of a message that only the server writes. */
const readOnly = ['id', 'created_at', 'updated_at', 'created_by', 'stats']

/** POST /api/admin/messages */
export const NewMessage = bodyOf(
  text.extend({
    format: text.shape.format.default('markdown'),
    user_ids: z
      .array(z.int().min(1), 'message.recipients_required')
      .max(USER_IDS_MAX, 'message.too_many_recipients')
      .default([]),
    group: z.string().trim().default(''),
    all: z.boolean().default(false),
  }),
)

/** PUT /api/admin/messages/:id: an absent format stays unchanged. */
export const MessageEdit = bodyOf(text.extend({ format: text.shape.format.optional() }), readOnly)

export type NewMessage = z.output<typeof NewMessage>
export type MessageEdit = z.output<typeof MessageEdit>

/** Both ends are inclusive, in unix seconds. */
export interface MessageFilter {
  keyword?: string
  start_date?: number
  end_date?: number
}

const DAY_SECONDS = 86_400
const isoDate = z.iso.date()
const isoTime = z.iso.datetime({ offset: true, local: true })

/** A query parameter with unix seconds, an ISO date (a whole day of UTC) or an ISO time (UTC without an offset). */
const moment = (end: 'start' | 'end') =>
  optional.transform((text, context) => {
    if (text === undefined) return undefined
    if (/^\d{1,12}$/.test(text)) return Number(text)
    if (isoDate.safeParse(text).success) return secondsOf(`${text}T00:00:00Z`) + (end === 'end' ? DAY_SECONDS - 1 : 0)
    if (isoTime.safeParse(text).success) return secondsOf(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
    context.issues.push({ code: 'custom', message: 'message.date_invalid', input: text })
    return z.NEVER
  })

const secondsOf = (iso: string) => Math.floor(Date.parse(iso) / 1000)

/** GET /api/admin/messages/search */
export const MessageSearch = z.object({
  p: optional,
  page_size: optional,
  keyword: optional,
  start_date: moment('start'),
  end_date: moment('end'),
})
