-- compatible since 0015_changes
ALTER TABLE `jobs` ADD `fence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `nodes` ADD `missed_time` integer DEFAULT 0 NOT NULL;