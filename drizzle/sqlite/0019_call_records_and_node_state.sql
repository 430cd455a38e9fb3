CREATE TABLE `call_records` (
	`request_id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`record` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `call_records_created` ON `call_records` (`created_at`);--> statement-breakpoint
ALTER TABLE `nodes` ADD `state` text DEFAULT '' NOT NULL;