/** A setting that an island edits as text. */
export interface TextSetting {
  name: string
  id: string
  label: string
  help: string
  value: string
  error?: string
}
