/** Preferences in cookies of their own name: the server needs them to render a page that does not change afterwards. */
import { z } from 'zod'
import { languageCodes } from '../locales/languages.ts'
import { isZone } from '../pure/time.ts'
import { PAGE_SIZES } from './paging.ts'

const PREFERENCE_SECONDS = 31_536_000

/** Any of them may be sent to POST /preferences. */
export const Preferences = z
  .object({
    language: z.enum(languageCodes),
    theme: z.enum(['gate', 'gate-night', 'system']),
    collapsed: z.enum(['true', 'false']),
    'page-size': z.enum(PAGE_SIZES.map(String)),
    'log-live': z.enum(['true', 'false']),
    shortcuts: z.enum(['true', 'false']),
    'channel-tag-mode': z.enum(['true', 'false']),
    'id-sort': z.enum(['true', 'false']),
    modelsExpanded: z.enum(['true', 'false']),
    /** Digest of the announcement that the visitor has closed. */
    'notice-read': z.string().regex(/^[\da-f]{16}$/),
    zone: z.string().refine(isZone),
  })
  .partial()

export const preferenceCookie = (name: string, value: string) =>
  `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${PREFERENCE_SECONDS}; SameSite=Lax`
