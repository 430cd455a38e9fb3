/** Settings whose text is edited by an island; without scripts it is a textarea. */
import { Island } from '../layout/island.tsx'
import { type FieldView, fieldId } from './view.ts'

const propsOf = ({ key, label, help, value, error }: FieldView) => ({
  ...{ name: key, label, help, error },
  id: fieldId(key),
  value,
})

export const ChatLinks = ({ field }: { field: FieldView }) => (
  <Island {...{ field: propsOf(field) }} name="chat-links" about={field.key} />
)

export const EmailDomains = ({ field }: { field: FieldView }) => (
  <Island {...{ field: propsOf(field) }} name="email-domains" about={field.key} />
)
