/** GET /api/status: what visitors may know of the installation. */
export interface PublicStatus {
  version: string
  start_time: number
  system_name: string
  logo: string
  footer_html: string
  status_page_enabled: boolean
  server_address: string
  docs_link: string
  top_up_link: string
  quota_per_unit: number
  display_in_currency: boolean
  price: number
  min_topup: number
  enable_online_topup: boolean
  enable_drawing: boolean
  enable_task: boolean
  enable_data_export: boolean
  data_export_default_time: string
  default_collapse_sidebar: boolean
  mj_notify_enabled: boolean
  chats: Record<string, string>[]
  chat_link: string
  chat_link2: string
  aff_enabled: boolean
  check_in_enabled: boolean
  turnstile_check: boolean
  turnstile_site_key: string
  email_verification: boolean
  registration_open: boolean
  password_registration: boolean
  github_oauth: boolean
  github_client_id: string
  oidc_enabled: boolean
  oidc_client_id: string
  oidc_authorization_endpoint: string
  linuxdo_oauth: boolean
  linuxdo_client_id: string
  wechat_login: boolean
  wechat_qrcode: string
  telegram_oauth: boolean
  telegram_bot_name: string
  self_use_mode_enabled: boolean
  demo_site_enabled: boolean
}
