CREATE TABLE `usage_first_token` (
	`span` integer NOT NULL,
	`start` integer NOT NULL,
	`model` text NOT NULL,
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
	PRIMARY KEY(`span`, `start`, `model`)
);
--> statement-breakpoint
CREATE TABLE `usage_daily_user` (
	`user_id` integer NOT NULL,
	`day` integer NOT NULL,
	`token_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`model` text NOT NULL,
	`group` text NOT NULL,
	`calls` integer NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`completion_tokens` integer NOT NULL,
	`quota` integer NOT NULL,
	`cache_read_tokens` integer NOT NULL,
	`failed` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`, `token_id`, `channel_id`, `model`, `group`)
);
--> statement-breakpoint
CREATE INDEX `usage_daily_user_day` ON `usage_daily_user` (`day`);--> statement-breakpoint
CREATE INDEX `usage_daily_user_token` ON `usage_daily_user` (`token_id`,`day`);--> statement-breakpoint
CREATE INDEX `logs_status` ON `logs` (case when json_valid(other) then other ->> '$.status_code' end,`created_at`) WHERE "logs"."type" = 6;--> statement-breakpoint
CREATE INDEX `orders_paid` ON `orders` (`status`,`paid_time`);--> statement-breakpoint
UPDATE `usage_rolled` SET `is_stale` = 1;