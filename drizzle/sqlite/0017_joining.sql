CREATE TABLE `secret_marks` (
	`id` integer PRIMARY KEY NOT NULL,
	`mark` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `nodes` ADD `version` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `nodes` ADD `schema` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `nodes` ADD `clock_offset_ms` integer DEFAULT 0 NOT NULL;