/** Settings whose text is edited by an island; without scripts it is a textarea. */
import type { RowShape } from '../../src/contracts/option-rows.ts'
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

export const OptionRows = ({ field, shape }: { field: FieldView; shape: RowShape }) => (
  <Island {...{ field: propsOf(field), shape }} name="option-rows" about={field.key} />
)
