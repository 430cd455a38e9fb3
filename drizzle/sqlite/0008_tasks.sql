CREATE TABLE `task_hooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_time` integer NOT NULL,
	FOREIGN KEY (`task`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_hooks_next` ON `task_hooks` (`next_time`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task_id` text NOT NULL,
	`platform` text NOT NULL,
	`action` text NOT NULL,
	`model` text NOT NULL,
	`user_id` integer NOT NULL,
	`token_id` integer NOT NULL,
	`group` text NOT NULL,
	`request_id` text NOT NULL,
	`origin_id` text DEFAULT '' NOT NULL,
	`node` text NOT NULL,
	`upstream_id` text DEFAULT '' NOT NULL,
	`repeats_id` integer DEFAULT false NOT NULL,
	`channel_id` integer DEFAULT 0 NOT NULL,
	`key_hash` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`fail_reason` text DEFAULT '' NOT NULL,
	`outcome_unknown` integer DEFAULT false NOT NULL,
	`submit_ms` integer NOT NULL,
	`start_ms` integer DEFAULT 0 NOT NULL,
	`finish_ms` integer DEFAULT 0 NOT NULL,
	`input` text NOT NULL,
	`answer` text,
	`result` text,
	`hook` text DEFAULT '' NOT NULL,
	`price_basis` text NOT NULL,
	`charged` integer DEFAULT 0 NOT NULL,
	`charged_time` integer DEFAULT 0 NOT NULL,
	`refunded` integer DEFAULT 0 NOT NULL,
	`maker_cost_usd` real,
	`times_missing` integer DEFAULT 0 NOT NULL,
	`next_look_ms` integer,
	`deadline_ms` integer NOT NULL,
	`next_save_ms` integer,
	`save_tries` integer DEFAULT 0 NOT NULL,
	`kept` text,
	`kept_until_ms` integer,
	`deleted_ms` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_task_id` ON `tasks` (`task_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_upstream_id` ON `tasks` (`channel_id`,`upstream_id`) WHERE "tasks"."upstream_id" <> '' and not "tasks"."repeats_id";--> statement-breakpoint
CREATE INDEX `tasks_by_upstream_id` ON `tasks` (`upstream_id`,`user_id`) WHERE "tasks"."upstream_id" <> '';--> statement-breakpoint
CREATE INDEX `tasks_user` ON `tasks` (`user_id`,`platform`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_user_submitted` ON `tasks` (`user_id`,`platform`,`submit_ms`,`id`,`deleted_ms`,`status`,`action`);--> statement-breakpoint
CREATE INDEX `tasks_submitted` ON `tasks` (`platform`,`submit_ms`,`id`,`status`,`action`);--> statement-breakpoint
CREATE INDEX `tasks_channel_submitted` ON `tasks` (`channel_id`,`platform`,`submit_ms`,`id`,`status`,`action`);--> statement-breakpoint
CREATE INDEX `tasks_status_submitted` ON `tasks` (`status`,`platform`,`submit_ms`,`id`,`action`);--> statement-breakpoint
CREATE INDEX `tasks_next_look` ON `tasks` (`next_look_ms`) WHERE "tasks"."next_look_ms" is not null;--> statement-breakpoint
CREATE INDEX `tasks_next_save` ON `tasks` (`next_save_ms`) WHERE "tasks"."next_save_ms" is not null;--> statement-breakpoint
CREATE INDEX `tasks_kept_until` ON `tasks` (`kept_until_ms`) WHERE "tasks"."kept_until_ms" is not null;--> statement-breakpoint
CREATE INDEX `tasks_submitting` ON `tasks` (`node`) WHERE "tasks"."status" = 'NOT_START' and "tasks"."upstream_id" = '';--> statement-breakpoint
ALTER TABLE `usage_hourly` ADD `refunded` integer DEFAULT 0 NOT NULL;