CREATE TABLE `background_events` (
	`response_id` text NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`events` text NOT NULL,
	PRIMARY KEY(`response_id`, `first`),
	FOREIGN KEY (`response_id`) REFERENCES `background_responses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `background_responses` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`node` text NOT NULL,
	`status` text NOT NULL,
	`is_streamed` integer NOT NULL,
	`bytes` integer NOT NULL,
	`created_time` integer NOT NULL,
	`expires_time` integer NOT NULL,
	`response` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `background_responses_user` ON `background_responses` (`user_id`,`bytes`);--> statement-breakpoint
CREATE INDEX `background_responses_expiry` ON `background_responses` (`expires_time`);