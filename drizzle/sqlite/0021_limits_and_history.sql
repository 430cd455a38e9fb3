CREATE TABLE `budget_holds` (
	`request_id` text NOT NULL,
	`budget_id` integer NOT NULL,
	`start` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`request_id`, `budget_id`)
);
--> statement-breakpoint
CREATE INDEX `budget_holds_window` ON `budget_holds` (`budget_id`,`start`);--> statement-breakpoint
CREATE TABLE `budget_hours` (
	`budget_id` integer NOT NULL,
	`start` integer NOT NULL,
	`hour` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`budget_id`, `hour`, `start`)
);
--> statement-breakpoint
CREATE TABLE `budget_windows` (
	`budget_id` integer NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`budget_id`, `start`)
);
--> statement-breakpoint
CREATE TABLE `budgets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner` text NOT NULL,
	`owner_id` integer NOT NULL,
	`name` text NOT NULL,
	`models` text NOT NULL,
	`unit` text NOT NULL,
	`amount` integer NOT NULL,
	`window` text NOT NULL,
	`seconds` integer DEFAULT 0 NOT NULL,
	`anchor` integer DEFAULT 0 NOT NULL,
	`zone` text DEFAULT '' NOT NULL,
	`refuses` integer NOT NULL,
	`created_time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `budgets_owner` ON `budgets` (`owner`,`owner_id`);--> statement-breakpoint
CREATE TABLE `channel_event_hourly` (
	`channel_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`event` text NOT NULL,
	`model` text NOT NULL,
	`cause` text NOT NULL,
	`times` integer DEFAULT 0 NOT NULL,
	`ms` integer DEFAULT 0 NOT NULL,
	`last_at` integer NOT NULL,
	`reason` text NOT NULL,
	PRIMARY KEY(`channel_id`, `hour`, `event`, `model`, `cause`),
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `channel_history` (
	`channel_id` integer NOT NULL,
	`part` text NOT NULL,
	`start` integer NOT NULL,
	`model` text NOT NULL,
	`succeeded` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`rate_limited` integer DEFAULT 0 NOT NULL,
	`rejected` integer DEFAULT 0 NOT NULL,
	`server_error` integer DEFAULT 0 NOT NULL,
	`timeout` integer DEFAULT 0 NOT NULL,
	`unreachable` integer DEFAULT 0 NOT NULL,
	`broken` integer DEFAULT 0 NOT NULL,
	`unusable` integer DEFAULT 0 NOT NULL,
	`bad_request` integer DEFAULT 0 NOT NULL,
	`below_100` integer DEFAULT 0 NOT NULL,
	`below_150` integer DEFAULT 0 NOT NULL,
	`below_200` integer DEFAULT 0 NOT NULL,
	`below_300` integer DEFAULT 0 NOT NULL,
	`below_400` integer DEFAULT 0 NOT NULL,
	`below_500` integer DEFAULT 0 NOT NULL,
	`below_700` integer DEFAULT 0 NOT NULL,
	`below_1000` integer DEFAULT 0 NOT NULL,
	`below_1400` integer DEFAULT 0 NOT NULL,
	`below_2000` integer DEFAULT 0 NOT NULL,
	`below_3000` integer DEFAULT 0 NOT NULL,
	`below_4000` integer DEFAULT 0 NOT NULL,
	`below_6000` integer DEFAULT 0 NOT NULL,
	`below_8000` integer DEFAULT 0 NOT NULL,
	`below_12000` integer DEFAULT 0 NOT NULL,
	`below_20000` integer DEFAULT 0 NOT NULL,
	`below_40000` integer DEFAULT 0 NOT NULL,
	`above` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`channel_id`, `part`, `start`, `model`),
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `shadow_calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`key_hash` text NOT NULL,
	`token_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`their_id` text NOT NULL,
	`path` text NOT NULL,
	`model` text NOT NULL,
	`group` text NOT NULL,
	`is_stream` integer NOT NULL,
	`status` integer NOT NULL,
	`outcome` text NOT NULL,
	`refusal` text NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`completion_tokens` integer NOT NULL,
	`quota` integer NOT NULL,
	`is_estimated` integer NOT NULL,
	`price` text
);
--> statement-breakpoint
CREATE INDEX `shadow_calls_created` ON `shadow_calls` (`created_at`,`id`);