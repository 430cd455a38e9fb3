/** The form of a file that is uploaded before a call. */
import { textOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'

/** @param file name, media type and base64. @param fields beside it */
export function uploadForm({ name, media_type, data }: Json, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  const bytes = Buffer.from(textOf(data), 'base64')
  form.append('file', new File([bytes], textOf(name), { type: textOf(media_type) }))
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  return form
}
