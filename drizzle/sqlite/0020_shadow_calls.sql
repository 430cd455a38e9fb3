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