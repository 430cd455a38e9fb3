CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`device` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`created_time` integer NOT NULL,
	`last_seen` integer NOT NULL,
	`expires_time` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_time`);--> statement-breakpoint
CREATE TABLE `abilities` (
	`group` text NOT NULL,
	`model` text NOT NULL,
	`channel_id` integer NOT NULL,
	`enabled` integer NOT NULL,
	`priority` integer NOT NULL,
	`weight` integer NOT NULL,
	PRIMARY KEY(`group`, `model`, `channel_id`),
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `abilities_channel` ON `abilities` (`channel_id`);--> statement-breakpoint
CREATE TABLE `channel_hourly` (
	`channel_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`succeeded` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`channel_id`, `hour`),
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`type` integer DEFAULT 1 NOT NULL,
	`key_sealed` text NOT NULL,
	`status` integer DEFAULT 1 NOT NULL,
	`base_url` text DEFAULT '' NOT NULL,
	`other` text DEFAULT '' NOT NULL,
	`openai_organization` text DEFAULT '' NOT NULL,
	`models` text DEFAULT '' NOT NULL,
	`group` text DEFAULT 'default' NOT NULL,
	`model_mapping` text DEFAULT '' NOT NULL,
	`status_code_mapping` text DEFAULT '' NOT NULL,
	`model_prefix` text DEFAULT '' NOT NULL,
	`param_override` text DEFAULT '' NOT NULL,
	`setting` text DEFAULT '' NOT NULL,
	`system_prompt` text DEFAULT '' NOT NULL,
	`test_model` text DEFAULT '' NOT NULL,
	`tag` text DEFAULT '' NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
	`weight` integer DEFAULT 0 NOT NULL,
	`auto_ban` integer DEFAULT 1 NOT NULL,
	`max_input_tokens` integer DEFAULT 0 NOT NULL,
	`used_quota` integer DEFAULT 0 NOT NULL,
	`response_time` integer DEFAULT 0 NOT NULL,
	`test_time` integer DEFAULT 0 NOT NULL,
	`balance` real DEFAULT 0 NOT NULL,
	`balance_updated_time` integer DEFAULT 0 NOT NULL,
	`other_info` text DEFAULT '' NOT NULL,
	`created_time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `channels_priority` ON `channels` (`priority`,`id`);--> statement-breakpoint
CREATE INDEX `channels_tag` ON `channels` (`tag`);--> statement-breakpoint
CREATE TABLE `channel_keys_closed` (
	`channel_id` integer NOT NULL,
	`key_hash` text NOT NULL,
	`status` integer NOT NULL,
	`reason` text NOT NULL,
	`closed_time` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `key_hash`),
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`name` text PRIMARY KEY NOT NULL,
	`node` text NOT NULL,
	`seen_time` integer NOT NULL,
	`started_time` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`type` integer NOT NULL,
	`username` text DEFAULT '' NOT NULL,
	`token_id` integer DEFAULT 0 NOT NULL,
	`token_name` text DEFAULT '' NOT NULL,
	`model_name` text DEFAULT '' NOT NULL,
	`group` text DEFAULT '' NOT NULL,
	`channel` integer DEFAULT 0 NOT NULL,
	`is_stream` integer DEFAULT false NOT NULL,
	`use_time` integer DEFAULT 0 NOT NULL,
	`prompt_tokens` integer DEFAULT 0 NOT NULL,
	`completion_tokens` integer DEFAULT 0 NOT NULL,
	`quota` integer DEFAULT 0 NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`request_id` text DEFAULT '' NOT NULL,
	`other` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `logs_created` ON `logs` (`created_at`);--> statement-breakpoint
CREATE INDEX `logs_user` ON `logs` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `logs_token` ON `logs` (`token_name`,`created_at`);--> statement-breakpoint
CREATE INDEX `logs_model` ON `logs` (`model_name`,`created_at`);--> statement-breakpoint
CREATE INDEX `logs_channel` ON `logs` (`channel`,`created_at`);--> statement-breakpoint
CREATE INDEX `logs_group` ON `logs` (`group`,`created_at`);--> statement-breakpoint
CREATE INDEX `logs_rare` ON `logs` (`type`,`created_at`) WHERE "logs"."type" <> 2;--> statement-breakpoint
CREATE TABLE `options` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `setups` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`initialized_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`key_sealed` text NOT NULL,
	`key_hash` text NOT NULL,
	`key_tail` text NOT NULL,
	`status` integer DEFAULT 1 NOT NULL,
	`remain_quota` integer DEFAULT 0 NOT NULL,
	`used_quota` integer DEFAULT 0 NOT NULL,
	`unlimited_quota` integer DEFAULT false NOT NULL,
	`created_time` integer NOT NULL,
	`accessed_time` integer DEFAULT 0 NOT NULL,
	`expired_time` integer DEFAULT -1 NOT NULL,
	`rate_limit_enabled` integer DEFAULT false NOT NULL,
	`rate_limit_period` integer DEFAULT 60 NOT NULL,
	`rate_limit_count` integer DEFAULT 1000 NOT NULL,
	`rate_limit_success` integer DEFAULT 10 NOT NULL,
	`model_limits_enabled` integer DEFAULT false NOT NULL,
	`model_limits` text DEFAULT '' NOT NULL,
	`allow_ips` text DEFAULT '' NOT NULL,
	`group` text DEFAULT '' NOT NULL,
	`deleted_time` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_key` ON `tokens` (`key_hash`);--> statement-breakpoint
CREATE INDEX `tokens_user` ON `tokens` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`password` text DEFAULT '' NOT NULL,
	`display_name` text DEFAULT '' NOT NULL,
	`role` integer DEFAULT 1 NOT NULL,
	`status` integer DEFAULT 1 NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`group` text DEFAULT 'default' NOT NULL,
	`quota` integer DEFAULT 0 NOT NULL,
	`used_quota` integer DEFAULT 0 NOT NULL,
	`request_count` integer DEFAULT 0 NOT NULL,
	`access_token_hash` text,
	`setting` text DEFAULT '' NOT NULL,
	`created_time` integer NOT NULL,
	`deleted_time` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (`username`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_access_token` ON `users` (`access_token_hash`);--> statement-breakpoint
CREATE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `ledger` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`delta` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`actor_id` integer DEFAULT 0 NOT NULL,
	`reference` text DEFAULT '' NOT NULL,
	`created_time` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ledger_user` ON `ledger` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_reference` ON `ledger` (`user_id`,`kind`,`reference`) WHERE "ledger"."reference" <> '';--> statement-breakpoint
CREATE TABLE `nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`seen_time` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reservations` (
	`request_id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`token_id` integer NOT NULL,
	`quota` integer NOT NULL,
	`node` text NOT NULL,
	`created_time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reservations_user` ON `reservations` (`user_id`);--> statement-breakpoint
CREATE INDEX `reservations_token` ON `reservations` (`token_id`);--> statement-breakpoint
CREATE TABLE `settlements` (
	`request_id` text PRIMARY KEY NOT NULL,
	`created_time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `settlements_created` ON `settlements` (`created_time`);--> statement-breakpoint
CREATE TABLE `usage_hourly` (
	`hour` integer NOT NULL,
	`user_id` integer NOT NULL,
	`token_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`model` text NOT NULL,
	`group` text NOT NULL,
	`calls` integer DEFAULT 0 NOT NULL,
	`prompt_tokens` integer DEFAULT 0 NOT NULL,
	`completion_tokens` integer DEFAULT 0 NOT NULL,
	`cache_read_tokens` integer DEFAULT 0 NOT NULL,
	`cache_write_tokens` integer DEFAULT 0 NOT NULL,
	`quota` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `hour`, `token_id`, `channel_id`, `model`, `group`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `usage_hourly_hour` ON `usage_hourly` (`hour`);--> statement-breakpoint
CREATE INDEX `usage_hourly_token` ON `usage_hourly` (`token_id`);